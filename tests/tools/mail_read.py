"""Prints the letters in a folder as JSON, the oldest first: what a mail program shows of each."""

import email
import email.policy
import json
import os
import sys


def letter(path):
    with open(path, "rb") as file:
        message = email.message_from_binary_file(file, policy=email.policy.default)
    parts = {"text/plain": "", "text/html": "", "image/png": b""}
    for part in message.walk():
        kind = part.get_content_type()
        if kind in parts:
            parts[kind] = part.get_content()
    return {
        "to": str(message["X-Envelope-To"]),
        "subject": str(message["Subject"]),
        "id": str(message["Message-ID"]),
        "headers": sorted(set(message.keys())),
        "unsubscribe": str(message["List-Unsubscribe"] or "").strip("<>"),
        "text": parts["text/plain"],
        "html": parts["text/html"],
        "picture": parts["image/png"][:8].hex(),
        "defects": [str(defect) for part in message.walk() for defect in part.defects],
    }


folder = sys.argv[1]
names = sorted(name for name in os.listdir(folder) if name.endswith(".eml"))
json.dump([letter(os.path.join(folder, name)) for name in names], sys.stdout)
