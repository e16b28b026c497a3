"""Prints the letters in a folder as JSON, the oldest first: what a mail program shows of each.

They are files `*.eml` of `mail_server.py`, or those in `mailboxes/ADDRESS/new` of a postfix (Maildir).
"""

import email
import email.policy
import glob
import json
import os
import sys


def paths(folder):
    """Returns the letters in the order in which they came."""
    own = sorted(glob.glob(os.path.join(glob.escape(folder), "*.eml")))
    delivered = glob.glob(os.path.join(glob.escape(folder), "mailboxes", "*", "new", "*"))
    return own + sorted(delivered, key=lambda path: os.stat(path).st_mtime_ns)


def letter(path):
    with open(path, "rb") as file:
        message = email.message_from_binary_file(file, policy=email.policy.default)
    parts = {"text/plain": "", "text/html": "", "image/png": b""}
    picture_id = ""
    for part in message.walk():
        kind = part.get_content_type()
        if kind in parts:
            parts[kind] = part.get_content()
        if kind == "image/png" and part.get_content_disposition() == "inline":
            picture_id = str(part["Content-ID"]).strip("<>")
    return {
        "to": str(message["X-Envelope-To"] or message["Delivered-To"]),
        "subject": str(message["Subject"]),
        "id": str(message["Message-ID"]),
        "headers": sorted(set(message.keys())),
        "unsubscribe": str(message["List-Unsubscribe"] or "").strip("<>"),
        "one_click": str(message["List-Unsubscribe-Post"] or ""),
        "text": parts["text/plain"],
        "html": parts["text/html"],
        "picture": parts["image/png"][:8].hex(),
        "inline": picture_id != "" and f"cid:{picture_id}" in parts["text/html"],
        "defects": [str(defect) for part in message.walk() for defect in part.defects],
    }


json.dump([letter(path) for path in paths(sys.argv[1])], sys.stdout)
