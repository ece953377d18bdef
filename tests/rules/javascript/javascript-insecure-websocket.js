// ruleid: javascript-insecure-websocket
const socket = new WebSocket('ws://chat.example.org/room');
// ruleid: javascript-insecure-websocket
const feed = new WebSocket('ws://feed.example.org:8080', ['v1']);

// ok: javascript-insecure-websocket
const safe = new WebSocket('wss://chat.example.org/room');
// ok: javascript-insecure-websocket
const local = new WebSocket('ws://localhost:3000');
