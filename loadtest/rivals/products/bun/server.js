// One topic: whoever comes to /sub is sent every message that comes to /pub.
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: Number(process.argv[2]),
  fetch(request, server) {
    const publishes = new URL(request.url).pathname === "/pub";
    return server.upgrade(request, { data: { publishes } }) ? undefined : new Response("no upgrade", { status: 400 });
  },
  websocket: {
    perMessageDeflate: false,
    // Enough for every message of a burst to wait for those who read slowly.
    backpressureLimit: 64 * 1024 * 1024,
    open(socket) {
      if (!socket.data.publishes) socket.subscribe("game");
    },
    message(socket, message) {
      if (socket.data.publishes) server.publish("game", message);
    },
  },
});
