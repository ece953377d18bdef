module.exports = {
  images: {
    // ruleid: javascript-next-image-any-host
    remotePatterns: [{ protocol: 'https', hostname: '**' }],
  },
};
// ruleid: javascript-next-image-any-host
const images = { remotePatterns: [{ hostname: '*' }] };

// ok: javascript-next-image-any-host
const safe = { remotePatterns: [{ protocol: 'https', hostname: 'images.example.org' }] };
// ok: javascript-next-image-any-host
const sub = { remotePatterns: [{ hostname: '**.example.org' }] };
