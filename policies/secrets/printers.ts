import { setOf, type ShellCommand, type ShellWord } from 'hookgate/policy'

/** Names of variables that hold what must not be known. */
const secretName =
  /(?:^|_)(?:secrets?|token|passw(?:or)?d|passwd|pass|passphrase|api_?key|apikey|access_?key(?:_id)?|secret_?key|private_?key|signing_?key|encryption_?key|master_?key|service_?key|account_?key|ssh_?key|deploy_?key|auth_?key|credentials?|creds|pat|jwt|cookie|dsn|database_url|db_url|redis_url|mongo(?:db)?_ur[il]|connection_?string|conn_?str|webhook_url)(?:$|_(?:prod|production|dev|test|staging|value|1|2)$)/i

export const isSecretName = (name: string) => secretName.test(name)

interface Printer {
  readonly program: string
  /** The words that must stand in it, in this order, options between. */
  readonly words: readonly string[]
  /** One of these options must be given. */
  readonly options?: RegExp
  /** None of these options may be given: it then prints nothing of the secret. */
  readonly without?: RegExp
  readonly what: string
}

/** What prints a secret that a program keeps. */
const printers: readonly Printer[] = [
  {
    program: 'security',
    words: ['find-generic-password'],
    options: /^-[a-z]*[wg]/,
    what: 'a password of the keychain',
  },
  {
    program: 'security',
    words: ['find-internet-password'],
    options: /^-[a-z]*[wg]/,
    what: 'a password of the keychain',
  },
  { program: 'security', words: ['dump-keychain'], what: 'the keychain' },
  { program: 'security', words: ['export'], what: 'the keychain' },
  { program: 'secret-tool', words: ['lookup'], what: 'a password of the keyring' },
  { program: 'secret-tool', words: ['search'], what: 'a password of the keyring' },
  { program: 'kwallet-query', words: [], options: /^(?:-r|--read-password)/, what: 'a password of the wallet' },
  { program: 'pass', words: ['show'], what: 'a password of the store' },
  { program: 'pass', words: ['grep'], what: 'passwords of the store' },
  { program: 'gopass', words: ['show'], what: 'a password of the store' },
  { program: 'op', words: ['read'], what: 'a secret of 1Password' },
  { program: 'op', words: ['item', 'get'], what: 'a secret of 1Password' },
  { program: 'op', words: ['inject'], what: 'secrets of 1Password' },
  { program: 'bw', words: ['get'], what: 'a secret of Bitwarden' },
  { program: 'bw', words: ['export'], what: 'the secrets of Bitwarden' },
  { program: 'lpass', words: ['show'], what: 'a secret of LastPass' },
  { program: 'keepassxc-cli', words: ['show'], what: 'a secret of KeePassXC' },
  { program: 'vault', words: ['read'], what: 'a secret of Vault' },
  { program: 'vault', words: ['kv', 'get'], what: 'a secret of Vault' },
  { program: 'vault', words: ['print', 'token'], what: 'a token of Vault' },
  { program: 'vault', words: ['token', 'create'], what: 'a token of Vault' },
  { program: 'doppler', words: ['secrets'], what: 'secrets of Doppler', without: /^--only-names$/ },
  { program: 'infisical', words: ['secrets'], what: 'secrets of Infisical' },
  { program: 'infisical', words: ['export'], what: 'secrets of Infisical' },
  { program: 'chamber', words: ['read'], what: 'a secret' },
  { program: 'chamber', words: ['export'], what: 'secrets' },
  { program: 'sops', words: [], options: /^(?:-d|--decrypt)$/, what: 'what sops has encrypted' },
  { program: 'sops', words: ['decrypt'], what: 'what sops has encrypted' },
  { program: 'ansible-vault', words: ['view'], what: 'what Ansible has encrypted' },
  { program: 'ansible-vault', words: ['decrypt'], what: 'what Ansible has encrypted' },
  { program: 'age', words: [], options: /^(?:-d|--decrypt)$/, what: 'what age has encrypted' },
  { program: 'gpg', words: [], options: /^--export-secret-(?:keys|subkeys|ssh-key)$/, what: 'a private key' },
  { program: 'gpg2', words: [], options: /^--export-secret-(?:keys|subkeys)$/, what: 'a private key' },
  { program: 'gh', words: ['auth', 'token'], what: 'a token of GitHub' },
  { program: 'gh', words: ['auth', 'status'], options: /^(?:-t|--show-token)$/, what: 'a token of GitHub' },
  { program: 'glab', words: ['auth', 'status'], options: /^(?:-t|--show-token)$/, what: 'a token of GitLab' },
  { program: 'git', words: ['credential', 'fill'], what: 'a password of git' },
  { program: 'git', words: ['credential-store', 'get'], what: 'a password of git' },
  { program: 'git-credential-manager', words: ['get'], what: 'a password of git' },
  { program: 'npm', words: ['token', 'create'], what: 'a token of npm' },
  { program: 'npm', words: ['config', 'get', '//*'], what: 'a token of npm' },
  { program: 'heroku', words: ['auth:token'], what: 'a token of Heroku' },
  { program: 'heroku', words: ['config'], what: 'the variables of an app' },
  { program: 'heroku', words: ['config:get'], what: 'a variable of an app' },
  { program: 'fly', words: ['auth', 'token'], what: 'a token of Fly' },
  { program: 'flyctl', words: ['auth', 'token'], what: 'a token of Fly' },
  { program: 'railway', words: ['variables'], options: /^--?(?:k|kv|json)$/, what: 'the variables of an app' },
  { program: 'vercel', words: ['env', 'pull'], what: 'the variables of an app' },
  { program: 'aws', words: ['configure', 'get', '*secret*'], what: 'a key of AWS' },
  { program: 'aws', words: ['configure', 'get', '*token*'], what: 'a token of AWS' },
  { program: 'aws', words: ['configure', 'get', '*key*'], what: 'a key of AWS' },
  { program: 'aws', words: ['configure', 'export-credentials'], what: 'the keys of AWS' },
  { program: 'aws', words: ['secretsmanager', 'get-secret-value'], what: 'a secret of AWS' },
  { program: 'aws', words: ['secretsmanager', 'batch-get-secret-value'], what: 'secrets of AWS' },
  { program: 'aws', words: ['ssm', 'get-parameter*'], options: /^--with-decryption$/, what: 'a secret of AWS' },
  { program: 'aws', words: ['sts', 'get-session-token'], what: 'a token of AWS' },
  { program: 'aws', words: ['sts', 'assume-role*'], what: 'a token of AWS' },
  { program: 'aws', words: ['sts', 'get-federation-token'], what: 'a token of AWS' },
  { program: 'aws', words: ['ecr', 'get-login-password'], what: 'a token of AWS' },
  { program: 'aws', words: ['ecr', 'get-authorization-token'], what: 'a token of AWS' },
  { program: 'aws', words: ['codeartifact', 'get-authorization-token'], what: 'a token of AWS' },
  { program: 'aws', words: ['iam', 'create-access-key'], what: 'a key of AWS' },
  { program: 'aws', words: ['eks', 'get-token'], what: 'a token of AWS' },
  { program: 'aws', words: ['rds', 'generate-db-auth-token'], what: 'a token of AWS' },
  { program: 'gcloud', words: ['auth', 'print-*'], what: 'a token of Google Cloud' },
  { program: 'gcloud', words: ['auth', 'application-default', 'print-*'], what: 'a token of Google Cloud' },
  { program: 'gcloud', words: ['secrets', 'versions', 'access'], what: 'a secret of Google Cloud' },
  { program: 'gcloud', words: ['iam', 'service-accounts', 'keys', 'create'], what: 'a key of Google Cloud' },
  { program: 'az', words: ['account', 'get-access-token'], what: 'a token of Azure' },
  { program: 'az', words: ['keyvault', 'secret', 'show'], what: 'a secret of Azure' },
  { program: 'az', words: ['keyvault', 'secret', 'download'], what: 'a secret of Azure' },
  { program: 'az', words: ['storage', 'account', 'keys', 'list'], what: 'the keys of Azure' },
  { program: 'az', words: ['ad', 'sp', 'create-for-rbac'], what: 'a password of Azure' },
  { program: 'az', words: ['acr', 'credential', 'show'], what: 'a password of Azure' },
  { program: 'doctl', words: ['auth', 'token'], what: 'a token of DigitalOcean' },
  { program: 'oci', words: ['secrets', 'secret-bundle', 'get'], what: 'a secret of Oracle' },
  { program: 'ibmcloud', words: ['iam', 'oauth-tokens'], what: 'a token of IBM Cloud' },
  {
    program: 'kubectl',
    words: ['get', 'secret*'],
    options: /^(?:-o|--output|--template)/,
    without: /^(?:-o=?|--output=)?(?:wide|name)$/,
    what: 'a secret of Kubernetes',
  },
  { program: 'kubectl', words: ['create', 'token'], what: 'a token of Kubernetes' },
  { program: 'kubectl', words: ['config', 'view'], options: /^--raw$/, what: 'the credentials of Kubernetes' },
  { program: 'oc', words: ['get', 'secret*'], options: /^(?:-o|--output)/, what: 'a secret of Kubernetes' },
  { program: 'oc', words: ['whoami'], options: /^(?:-t|--show-token)$/, what: 'a token of OpenShift' },
  { program: 'terraform', words: ['output'], options: /^-(?:raw|json)$/, what: 'values that may be secret' },
  { program: 'terraform', words: ['state', 'pull'], what: 'the state, with all its passwords' },
  { program: 'pulumi', words: ['config'], options: /^--show-secrets$/, what: 'secrets of Pulumi' },
  { program: 'pulumi', words: ['stack', 'output'], options: /^--show-secrets$/, what: 'secrets of Pulumi' },
  { program: 'docker', words: ['compose', 'config'], options: /^--environment$/, what: 'the variables of containers' },
  { program: 'docker-credential-*', words: ['get'], what: 'a password of docker' },
  { program: 'openssl', words: ['rsa'], without: /^-(?:noout|pubout|check)$/, options: /^-in$/, what: 'a private key' },
  { program: 'openssl', words: ['pkey'], without: /^-(?:noout|pubout)$/, options: /^-in$/, what: 'a private key' },
  { program: 'openssl', words: ['pkcs12'], options: /^-(?:nodes|noenc|nocerts)$/, what: 'a private key' },
  { program: 'nmcli', words: [], options: /^(?:-s|--show-secrets)$/, what: 'the passwords of networks' },
  { program: 'netsh', words: ['wlan', 'show', 'profile*'], what: 'the passwords of networks' },
  { program: 'cmdkey', words: ['/list'], what: 'the credentials of Windows' },
  { program: 'mimikatz', words: [], what: 'the passwords of Windows' },
  { program: 'lazagne', words: [], what: 'every password of this machine' },
]

const isLike = (word: string, pattern: string) =>
  pattern.startsWith('*') && pattern.endsWith('*') && pattern.length > 2
    ? word.includes(pattern.slice(1, -1))
    : pattern.endsWith('*')
      ? word.startsWith(pattern.slice(0, -1))
      : word === pattern

/** What secret a command prints that no file of ours holds. */
export function printed({ program, args }: ShellCommand): string | undefined {
  const words = args.map(({ value }) => value)
  if (words.includes('--help')) return undefined
  return printers.find(
    (one) =>
      isLike(program, one.program) &&
      inOrder(words, one.words) &&
      (one.options === undefined || words.some((word) => one.options?.test(word) === true)) &&
      !words.some((word) => one.without?.test(word) === true),
  )?.what
}

/** Programs' first operands come one behind the other, but for options and their values. */
function inOrder(words: readonly string[], wanted: readonly string[]): boolean {
  let at = 0
  for (const [index, word] of words.entries()) {
    const want = wanted[at]
    if (want === undefined) return true
    if (isLike(word.toLowerCase(), want)) at++
    else if (!word.startsWith('-') && words[index - 1]?.startsWith('-') !== true) return false
  }
  return at >= wanted.length
}

const shows = setOf(['echo', 'printf', 'print', 'cat', 'tee'])

/** The variable of the environment that a command shows, where its name says that it is secret. */
export function shownVariable({ program, args, stdin }: ShellCommand): string | undefined {
  const named = (word: ShellWord | undefined) =>
    word?.variable !== undefined && isSecretName(word.variable) ? [word.variable] : []
  if (program === 'printenv') return args.map(({ value }) => value).find(isSecretName)
  if (!shows.has(program)) return undefined
  return [...args.flatMap(named), ...(program === 'cat' || program === 'tee' ? named(stdin) : [])][0]
}

const wholeEnvironment = setOf(['env', 'printenv', 'set', 'export', 'declare', 'typeset', 'compgen'])

/** Whether a command prints every variable that there is. */
export function printsEnvironment({ program, args, wrapper, assignments }: ShellCommand): boolean {
  if (!wholeEnvironment.has(program) || wrapper === true) return false
  const words = args.map(({ value }) => value)
  switch (program) {
    case 'env':
      return (
        assignments.length === 0 &&
        words.every(
          (word, at) =>
            /^(?:-0|--null|-u.*|--unset.*|-v|--debug)$/.test(word) || words[at - 1] === '-u' || /^\w+=/.test(word),
        )
      )
    case 'printenv':
      return words.every((word) => word.startsWith('-'))
    case 'set':
      return words.length === 0
    default:
      return words.length === 0 || (words.length === 1 && /^-[pxev]+$/.test(words[0] ?? ''))
  }
}
