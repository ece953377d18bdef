import DOMPurify from 'dompurify';

function Comment(props) {
  // ruleid: javascript-react-raw-html
  return <div className="comment" dangerouslySetInnerHTML={{ __html: props.body }} />;
}

function Bio({ text }) {
  // ruleid: javascript-react-raw-html
  return <p dangerouslySetInnerHTML={{ __html: text }} />;
}

function Safe(props) {
  return (
    <section>
      {/* ok: javascript-react-raw-html */}
      <p dangerouslySetInnerHTML={{ __html: DOMPurify.sanitize(props.body) }} />
      {/* ok: javascript-react-raw-html */}
      <p>{props.body}</p>
      {/* ok: javascript-react-raw-html */}
      <style dangerouslySetInnerHTML={{ __html: props.theme }} />
    </section>
  );
}
