function login(user, req) {
  // ruleid: javascript-password-logged
  console.log('login', user.name, user.password);
  // ruleid: javascript-password-logged
  logger.info(`key ${config.apiKey}`);
  // ruleid: javascript-password-logged
  logger.debug('token ' + session.accessToken);
}

function safe(user, session) {
  // ok: javascript-password-logged
  console.log('login', user.name);
  // ok: javascript-password-logged
  logger.info(`password set: ${Boolean(user.password)}`);
  // ok: javascript-password-logged
  console.log(messages.passwordHint);
}
