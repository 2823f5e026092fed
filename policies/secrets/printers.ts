import { setOf, type ShellCommand, type ShellWord, unknownPart } from 'hookgate/policy'
import { codePrintsEnvironment, codeShows } from './code-variables.ts'

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
  /** With words that match, in one line, it prints nothing that counts elsewhere. */
  readonly spared?: RegExp
  /** It prints one value by its name, which may say that it is no secret. */
  readonly named?: true
  readonly what: string
}

/** Forms of output that show names of a secret, and not its values. */
const noValues =
  /^(?:(?:-o|--output)=?)?(?:wide|name|custom-columns(?!.*\.data).*|(?:jsonpath|go-template)=(?!.*\.data).*)$/
/** A format of a container's description that shows its variables. */
const environmentOf = /\{\{.*(?:\.Env\b|\.Config\s*\}\}|json \.Config\b(?!\.))/

/** Commands that print a secret kept by a program. */
const printers: readonly Printer[] = [
  {
    program: 'security',
    words: ['find-generic-password'],
    options: /^-[a-z]*[wg]/,
    what: 'a keychain password',
  },
  {
    program: 'security',
    words: ['find-internet-password'],
    options: /^-[a-z]*[wg]/,
    what: 'a keychain password',
  },
  { program: 'security', words: ['dump-keychain'], what: 'the keychain' },
  { program: 'security', words: ['export'], what: 'the keychain' },
  { program: 'secret-tool', words: ['lookup'], what: 'a keyring password' },
  { program: 'secret-tool', words: ['search'], what: 'a keyring password' },
  { program: 'kwallet-query', words: [], options: /^(?:-r|--read-password)/, what: 'a wallet password' },
  { program: 'pass', words: ['show'], what: 'a password of the store' },
  { program: 'pass', words: ['grep'], what: 'passwords of the store' },
  { program: 'gopass', words: ['show'], what: 'a password of the store' },
  { program: 'op', words: ['read'], what: 'a 1Password secret' },
  { program: 'op', words: ['item', 'get'], what: 'a 1Password secret' },
  { program: 'op', words: ['inject'], what: '1Password secrets' },
  { program: 'bw', words: ['get'], what: 'a Bitwarden secret' },
  { program: 'bw', words: ['export'], what: 'the Bitwarden secrets' },
  { program: 'lpass', words: ['show'], what: 'a LastPass secret' },
  { program: 'keepassxc-cli', words: ['show'], what: 'a KeePassXC secret' },
  { program: 'vault', words: ['read'], what: 'a Vault secret' },
  { program: 'vault', words: ['kv', 'get'], what: 'a Vault secret' },
  { program: 'vault', words: ['print', 'token'], what: 'a Vault token' },
  { program: 'vault', words: ['token', 'create'], what: 'a Vault token' },
  { program: 'doppler', words: ['secrets'], what: 'Doppler secrets', without: /^--only-names$/ },
  { program: 'infisical', words: ['secrets'], what: 'Infisical secrets' },
  { program: 'infisical', words: ['export'], what: 'Infisical secrets' },
  { program: 'chamber', words: ['read'], what: 'a secret' },
  { program: 'chamber', words: ['export'], what: 'secrets' },
  { program: 'sops', words: [], options: /^(?:-d|--decrypt)$/, what: 'what sops has encrypted' },
  { program: 'sops', words: ['decrypt'], what: 'what sops has encrypted' },
  { program: 'ansible-vault', words: ['view'], what: 'what Ansible has encrypted' },
  { program: 'ansible-vault', words: ['decrypt'], what: 'what Ansible has encrypted' },
  { program: 'age', words: [], options: /^(?:-d|--decrypt)$/, what: 'what age has encrypted' },
  { program: 'gpg', words: [], options: /^--export-secret-(?:keys|subkeys|ssh-key)$/, what: 'a private key' },
  { program: 'gpg2', words: [], options: /^--export-secret-(?:keys|subkeys)$/, what: 'a private key' },
  { program: 'gh', words: ['auth', 'token'], what: 'a GitHub token' },
  { program: 'gh', words: ['auth', 'status'], options: /^(?:-t|--show-token)$/, what: 'a GitHub token' },
  { program: 'glab', words: ['auth', 'status'], options: /^(?:-t|--show-token)$/, what: 'a GitLab token' },
  { program: 'git', words: ['credential', 'fill'], what: 'a git password' },
  { program: 'git', words: ['credential-store', 'get'], what: 'a git password' },
  { program: 'git-credential-manager', words: ['get'], what: 'a git password' },
  { program: 'npm', words: ['token', 'create'], what: 'an npm token' },
  { program: 'npm', words: ['config', 'get', '//*'], what: 'an npm token' },
  { program: 'heroku', words: ['auth:token'], what: 'a Heroku token' },
  { program: 'heroku', words: ['config'], what: 'the variables of an app' },
  { program: 'heroku', words: ['config:get'], what: 'a variable of an app', named: true },
  { program: 'fly', words: ['auth', 'token'], what: 'a Fly token' },
  { program: 'flyctl', words: ['auth', 'token'], what: 'a Fly token' },
  { program: 'railway', words: ['variables'], options: /^--?(?:k|kv|json)$/, what: 'the variables of an app' },
  { program: 'vercel', words: ['env', 'pull'], what: 'the variables of an app' },
  { program: 'aws', words: ['configure', 'get', '*secret*'], what: 'an AWS key' },
  { program: 'aws', words: ['configure', 'get', '*token*'], what: 'an AWS token' },
  { program: 'aws', words: ['configure', 'get', '*key*'], what: 'an AWS key' },
  { program: 'aws', words: ['configure', 'export-credentials'], what: 'the AWS keys' },
  { program: 'aws', words: ['secretsmanager', 'get-secret-value'], what: 'an AWS secret' },
  { program: 'aws', words: ['secretsmanager', 'batch-get-secret-value'], what: 'AWS secrets' },
  { program: 'aws', words: ['ssm', 'get-parameter*'], options: /^--with-decryption$/, what: 'an AWS secret' },
  { program: 'aws', words: ['sts', 'get-session-token'], what: 'an AWS token' },
  { program: 'aws', words: ['sts', 'assume-role*'], what: 'an AWS token' },
  { program: 'aws', words: ['sts', 'get-federation-token'], what: 'an AWS token' },
  { program: 'aws', words: ['ecr', 'get-login-password'], what: 'an AWS token' },
  { program: 'aws', words: ['ecr', 'get-authorization-token'], what: 'an AWS token' },
  { program: 'aws', words: ['codeartifact', 'get-authorization-token'], what: 'an AWS token' },
  { program: 'aws', words: ['iam', 'create-access-key'], what: 'an AWS key' },
  { program: 'aws', words: ['eks', 'get-token'], what: 'an AWS token' },
  { program: 'aws', words: ['rds', 'generate-db-auth-token'], what: 'an AWS token' },
  { program: 'gcloud', words: ['auth', 'print-*'], what: 'a Google Cloud token' },
  { program: 'gcloud', words: ['auth', 'application-default', 'print-*'], what: 'a Google Cloud token' },
  { program: 'gcloud', words: ['secrets', 'versions', 'access'], what: 'a Google Cloud secret' },
  { program: 'gcloud', words: ['iam', 'service-accounts', 'keys', 'create'], what: 'a Google Cloud key' },
  { program: 'az', words: ['account', 'get-access-token'], what: 'an Azure token' },
  { program: 'az', words: ['keyvault', 'secret', 'show'], what: 'an Azure secret' },
  { program: 'az', words: ['keyvault', 'secret', 'download'], what: 'an Azure secret' },
  { program: 'az', words: ['storage', 'account', 'keys', 'list'], what: 'the Azure keys' },
  { program: 'az', words: ['ad', 'sp', 'create-for-rbac'], what: 'an Azure password' },
  { program: 'az', words: ['acr', 'credential', 'show'], what: 'an Azure password' },
  { program: 'doctl', words: ['auth', 'token'], what: 'a DigitalOcean token' },
  { program: 'oci', words: ['secrets', 'secret-bundle', 'get'], what: 'an Oracle secret' },
  { program: 'ibmcloud', words: ['iam', 'oauth-tokens'], what: 'an IBM Cloud token' },
  {
    program: 'kubectl',
    words: ['get', 'secret*'],
    options: /^(?:-o|--output|--template)/,
    without: noValues,
    what: 'a Kubernetes secret',
  },
  { program: 'kubectl', words: ['create', 'token'], what: 'a Kubernetes token' },
  {
    program: 'kubectl',
    words: ['config', 'view'],
    options: /^--raw$/,
    spared: /^(?=.* --minify\b).* --context[= ](?:kind-|k3d-|minikube |docker-desktop )/,
    what: 'the Kubernetes credentials',
  },
  {
    program: 'oc',
    words: ['get', 'secret*'],
    options: /^(?:-o|--output|--template)/,
    without: noValues,
    what: 'a Kubernetes secret',
  },
  { program: 'oc', words: ['whoami'], options: /^(?:-t|--show-token)$/, what: 'an OpenShift token' },
  {
    program: 'terraform',
    words: ['output'],
    options: /^-(?:raw|json)$/,
    what: 'values that may be secret',
    named: true,
  },
  { program: 'tofu', words: ['output'], options: /^-(?:raw|json)$/, what: 'values that may be secret', named: true },
  { program: 'terraform', words: ['state', 'pull'], what: 'the state, with all its passwords' },
  { program: 'pulumi', words: ['config'], options: /^--show-secrets$/, what: 'Pulumi secrets' },
  { program: 'pulumi', words: ['stack', 'output'], options: /^--show-secrets$/, what: 'Pulumi secrets' },
  ...['docker', 'podman', 'nerdctl'].flatMap((program): readonly Printer[] => [
    { program, words: ['inspect'], options: environmentOf, what: 'the variables of a container' },
    { program, words: ['container', 'inspect'], options: environmentOf, what: 'the variables of a container' },
  ]),
  { program: 'docker', words: ['compose', 'config'], options: /^--environment$/, what: 'the variables of containers' },
  { program: 'docker-credential-*', words: ['get'], what: 'a docker password' },
  { program: 'openssl', words: ['rsa'], without: /^-(?:noout|pubout|check)$/, options: /^-in$/, what: 'a private key' },
  { program: 'openssl', words: ['pkey'], without: /^-(?:noout|pubout)$/, options: /^-in$/, what: 'a private key' },
  { program: 'openssl', words: ['pkcs12'], options: /^-(?:nodes|noenc|nocerts)$/, what: 'a private key' },
  { program: 'nmcli', words: [], options: /^(?:-s|--show-secrets)$/, what: 'network passwords' },
  { program: 'netsh', words: ['wlan', 'show', 'profile*'], what: 'network passwords' },
  { program: 'cmdkey', words: ['/list'], what: 'the Windows credentials' },
  { program: 'mimikatz', words: [], what: 'the Windows passwords' },
  { program: 'lazagne', words: [], what: 'every password of this machine' },
]

const isLike = (word: string, pattern: string) =>
  pattern.startsWith('*') && pattern.endsWith('*') && pattern.length > 2
    ? word.includes(pattern.slice(1, -1))
    : pattern.endsWith('*')
      ? word.startsWith(pattern.slice(0, -1))
      : word === pattern

/** Returns the secret that a command prints from elsewhere than a file. */
export function printed({ program, args }: ShellCommand): string | undefined {
  const words = args.map(({ value }) => value)
  if (words.includes('--help')) return undefined
  return printers.find(
    (one) =>
      isLike(program, one.program) &&
      inOrder(words, one.words) &&
      (one.options === undefined || words.some((word) => one.options?.test(word) === true)) &&
      !words.some((word) => one.without?.test(word) === true) &&
      one.spared?.test(` ${words.join(' ')} `) !== true &&
      !(one.named === true && namesNoSecret(words.slice(one.words.length))),
  )?.what
}

/** A word of a name whose value may be a secret. */
const telling =
  /secret|token|pass|pwd|key|cred|private|auth|dsn|conn|database|(?:^|_)db|redis|mongo|amqp|kafka|smtp|sentry|webhook|cert|kubeconfig|salt|seed|sign/i

export const soundsSecret = (name: string) => telling.test(name) || /ur[il]|jwt|cookie/i.test(name)

/** True if values are asked for by name, none of which sounds like a secret. */
function namesNoSecret(words: readonly string[]): boolean {
  const names = words.filter((word) => !word.startsWith('-'))
  return names.length > 0 && !names.some((name) => telling.test(name))
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

export const shows = setOf(['echo', 'printf', 'print', 'cat', 'tee'])

/** Returns the variable in a word whose name is a secret's. */
export const secretIn = ({ variable, variables }: ShellWord): string | undefined =>
  (variables ?? [variable ?? '']).find(isSecretName)

const declaring = setOf(['declare', 'typeset', 'local', 'readonly', 'export'])

/** The variable of the environment that a command shows, where its name says that it is secret. */
export function shownVariable(command: ShellCommand): string | undefined {
  const { program, args } = command
  const inCode = command.code === undefined ? undefined : codeShows(command).find(isSecretName)
  if (inCode !== undefined) return inCode
  const words = args.map(({ value }) => value)
  if (program === 'printenv' || (declaring.has(program) && /^-[a-z]*p/.test(words[0] ?? '')))
    return words.find(isSecretName)
  return shownWords(command)
    .map(secretIn)
    .find((name) => name !== undefined)
}

/** The words that a command prints as they are. */
function shownWords({ program, args, stdin }: ShellCommand): readonly ShellWord[] {
  if (!shows.has(program)) return []
  return stdin !== undefined && (program === 'cat' || program === 'tee') ? [...args, stdin] : args
}

/** True if a command shows a variable whose name is not known: one of a list of names. */
export const showsSome = (command: ShellCommand): boolean =>
  command.program === 'printenv'
    ? command.args.some(({ unresolved }) => unresolved === true)
    : shownWords(command).some(
        ({ value, variables = [] }) =>
          variables.includes(unknownPart) || new RegExp(`\\$\\{?${unknownPart}`).test(value),
      )

const wholeEnvironment = setOf(['env', 'printenv', 'set', 'export', 'declare', 'typeset'])

/** True if a command prints all variables. */
export function printsEnvironment(command: ShellCommand): boolean {
  const { program, args, wrapper, assignments, reach } = command
  if (codePrintsEnvironment(command)) return true
  const words = args.map(({ value }) => value)
  switch (program) {
    case 'ps':
      // The options of BSD have no dash: `e` is the environment there.
      return /^[a-zA-Z]*e[a-zA-Z]*$/.test(words[0] ?? '')
    case 'npm':
      return words.join(' ') === 'run env'
    case 'jq':
    case 'gojq':
      return (
        words.some((word) => /(?<![.\w$"])(?:\$ENV|env)(?![.\w[:]|\s*\|\s*keys)/.test(word)) &&
        words.some((word) => /^-[a-zA-Z]*n|^--null-input$/.test(word))
      )
    case 'set':
      return (
        words.length === 0 ||
        (/^-[gUx]*x[gUx]*$/.test(words.join('')) &&
          reach.some((one) => one.through === 'wrapper' && one.program === 'fish'))
      )
  }
  if (!wholeEnvironment.has(program) || wrapper === true) return false
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
      return words.every((word) => /^(?:-0|--null)$/.test(word))
    default:
      return words.length === 0 || (words.length === 1 && /^-[pxev]+$/.test(words[0] ?? ''))
  }
}

/** Programs that print variables. */
export const environmentWords: readonly string[] = [
  ...wholeEnvironment.members,
  ...'local readonly ps npm jq gojq elixir dotenv dotenvx'.split(' '),
]

/** Programs that print something secret. */
export const printingWords: readonly string[] = [
  ...printers.map(({ program }) => program),
  ...shows.members,
  ...environmentWords,
]
