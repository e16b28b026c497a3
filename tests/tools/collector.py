"""A collector of traces: takes OTLP over HTTP, and prints its port, then each span as a line of JSON."""

import http.server
import json

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


def value(stored):
    return getattr(stored, stored.WhichOneof("value"))


class Collector(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        request = ExportTraceServiceRequest()
        request.ParseFromString(self.rfile.read(int(self.headers["Content-Length"])))
        for of_resource in request.resource_spans:
            resource = {field.key: value(field.value) for field in of_resource.resource.attributes}
            for span in (span for scope in of_resource.scope_spans for span in scope.spans):
                fields = {field.key: value(field.value) for field in span.attributes}
                told = {"path": self.path, "service": resource.get("service.name"), "name": span.name, "fields": fields}
                told["id"], told["parent"] = span.span_id.hex(), span.parent_span_id.hex()
                told["nanos"] = span.end_time_unix_nano - span.start_time_unix_nano
                print(json.dumps(told), flush=True)
        self.send_response(200)
        self.send_header("Content-Type", "application/x-protobuf")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
print(server.server_address[1], flush=True)
server.serve_forever()
