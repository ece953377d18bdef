function start(id) {
  // ruleid: javascript-timer-string-code
  setTimeout('show(' + id + ')', 500);
  // ruleid: javascript-timer-string-code
  setInterval(`refresh(${id})`, 1000);
}

function safe(id) {
  // ok: javascript-timer-string-code
  setTimeout(() => show('item ' + id), 500);
  // ok: javascript-timer-string-code
  setTimeout(show, 500, 'item ' + id);
}
