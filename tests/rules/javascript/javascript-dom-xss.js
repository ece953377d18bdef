const params = new URLSearchParams(location.search);
// ruleid: javascript-dom-xss
document.getElementById('name').innerHTML = params.get('name');

function show() {
  const tab = decodeURIComponent(window.location.hash.slice(1));
  // ruleid: javascript-dom-xss
  $('#tabs').append('<b>' + tab + '</b>');
  // ruleid: javascript-dom-xss
  document.write('<a href="' + document.referrer + '">back</a>');
}

window.addEventListener('message', (event) => {
  // ruleid: javascript-dom-xss
  document.body.insertAdjacentHTML('beforeend', event.data.html);
});

function Banner() {
  const [query] = useSearchParams();
  // ruleid: javascript-dom-xss
  return <div dangerouslySetInnerHTML={{ __html: query.get('text') }} />;
}

function safe() {
  // ok: javascript-dom-xss
  document.getElementById('name').textContent = params.get('name');
  // ok: javascript-dom-xss
  document.getElementById('name').innerHTML = DOMPurify.sanitize(location.hash);
  // ok: javascript-dom-xss
  document.getElementById('name').innerHTML = '<b>static</b>';
  // ok: javascript-dom-xss
  $('#tabs').text(location.hash);
  // ok: javascript-dom-xss
  $('#link').attr('href', '/next?from=' + encodeURIComponent(location.href));
}
