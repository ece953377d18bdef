// ruleid: javascript-insecure-random-secret
const resetToken = Math.random().toString(36).slice(2);

function generateOtp() {
  // ruleid: javascript-insecure-random-secret
  return Math.floor(100000 + Math.random() * 900000);
}

function register(user) {
  // ruleid: javascript-insecure-random-secret
  user.apiKey = 'k' + Math.random();
}

// ok: javascript-insecure-random-secret
const colour = Math.random().toString(16).slice(2);
// ok: javascript-insecure-random-secret
const delay = Math.random() * 1000;
// ok: javascript-insecure-random-secret
const token = crypto.randomBytes(32).toString('hex');
// ok: javascript-insecure-random-secret
const tokens = Math.random() > 0.5 ? left : right;

function report(key) {
  return new Reporter({
    // ok: javascript-insecure-random-secret
    apiKey: key,
    // ok: javascript-insecure-random-secret
    delay: Math.floor(Math.random() * 10000),
  });
}

function invite(address) {
  return {
    address,
    // ruleid: javascript-insecure-random-secret
    token: Math.random().toString(36),
    delay: 100,
  };
}
