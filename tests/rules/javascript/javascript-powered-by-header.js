function plain() {
  // ruleid: javascript-powered-by-header
  const app = express();
  app.listen(3000);
}

function other() {
  // ruleid: javascript-powered-by-header
  const server = express();
  server.use(express.json());
}

function router() {
  // ok: javascript-powered-by-header
  const routes = express.Router();
  routes.get('/', list);
}

function quiet() {
  // ok: javascript-powered-by-header
  const app = createApp({ poweredBy: false });
  app.listen(3000);
}
