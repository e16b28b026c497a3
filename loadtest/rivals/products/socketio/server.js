// One room: whoever comes is sent every message of those who came to publish. Messages are text, which Socket.IO frames
// once for everybody; bytes it would send to each as two messages.
import { createServer } from "node:http";
import { Server } from "socket.io";

const http = createServer();
const io = new Server(http, { transports: ["websocket"], serveClient: false, perMessageDeflate: false });
io.on("connection", (socket) => {
  if (socket.handshake.auth.publishes) {
    socket.on("publish", (message) => io.to("game").emit("event", message));
  } else {
    socket.join("game");
  }
});
http.listen(Number(process.argv[2]), "127.0.0.1");
