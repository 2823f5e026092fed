/** Names of variables that hold what must not be known. */
const secretName =
  /(?:^|_)(?:secrets?|token|passw(?:or)?d|passwd|pass|passphrase|api_?key|apikey|access_?key(?:_id)?|secret_?key|private_?key|signing_?key|encryption_?key|master_?key|service_?key|account_?key|ssh_?key|deploy_?key|auth_?key|credentials?|creds|pat|jwt|cookie|dsn|database_url|db_url|redis_url|mongo(?:db)?_ur[il]|connection_?string|conn_?str|webhook_url)(?:$|_(?:prod|production|dev|test|staging|value|1|2)$)/i

/** True for the name of a variable that says that it holds a secret. */
export const isSecretName = (name: string): boolean => secretName.test(name)

/** A word of a name whose value may be a secret. */
const telling =
  /secret|token|pass|pwd|key|cred|private|auth|dsn|conn|database|(?:^|_)db|redis|mongo|amqp|kafka|smtp|sentry|webhook|cert|kubeconfig|salt|seed|sign/i

/** True for a name whose value may be a secret. */
export const soundsSecret = (name: string): boolean => telling.test(name)
