async function send(order) {
  // ruleid: javascript-cleartext-request
  await fetch('http://api.example.org/orders', { method: 'POST', body: order });
  // ruleid: javascript-cleartext-request
  await axios.post('http://pay.example.org/charge', order);
  // ok: javascript-cleartext-request
  await fetch('https://api.example.org/orders');
  // ok: javascript-cleartext-request
  await fetch('http://localhost:3000/orders');
  // ok: javascript-cleartext-request
  await axios.get('http://orders:8080/all');
}
