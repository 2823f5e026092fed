import { isLoopback, isSecretName, type ShellCommand, type ShellFacts, type ShellWord } from 'hookgate/policy'
import { domainOf } from './belonging.ts'
import { lineOfRequest } from './sending.ts'

/** True if a command's words are sent as they are. */
const isRequest = ({ network, code }: ShellCommand) => network?.kind === 'request' && code === undefined

/** Returns the variable in a word whose name is a secret's. */
export const secretIn = ({ variable, variables }: ShellWord): string | undefined =>
  (variables ?? [variable ?? '']).find(isSecretName)

/** The secret variable that a command sends as data, or as a part of an address, and not to log in with. */
export function sentVariable(command: ShellCommand): string | undefined {
  if (!isRequest(command) || isLoopback(command.network?.host ?? '')) return undefined
  const { given, operands } = lineOfRequest(command)
  const sent =
    given.find(
      ({ use, value }) => secretIn(value) !== undefined && use !== 'login' && !(isWhole(value.value) && use !== 'data'),
    )?.value ??
    // An address may begin with a variable that is one as a whole.
    operands.find((word) => secretIn(word) !== undefined && !isWhole(word.value))
  return sent === undefined ? undefined : secretIn(sent)
}

/**
 * Whose keys those are that a variable's name, or what a program calls what it prints, is about: hosts that may get a
 * variable, as self-hosted ones do, and the domains that are the owner's alone, of which no customer can have a host.
 */
const owners: readonly (readonly [names: RegExp, hosts: RegExp, domains?: string])[] = [
  [/^(?:GH|GITHUB)_|GitHub token/, /github|ghcr/, 'github.com ghcr.io ghe.com'],
  [/^(?:CI_JOB|GITLAB)_|GitLab token/, /gitlab/, 'gitlab.com'],
  [/^(?:NPM|NODE_AUTH)_|npm token/, /npm|github/, 'registry.npmjs.org npm.pkg.github.com'],
  [/^(?:PYPI|TWINE)_/, /pypi/],
  [/^AWS_|AWS token/, /aws/, '*.dkr.ecr.*.amazonaws.com *.dkr.ecr.*.amazonaws.com.cn public.ecr.aws'],
  [/^(?:GOOGLE|GCP|GEMINI)_|Google Cloud token/, /google/, 'googleapis.com pkg.dev gcr.io'],
  [
    /^(?:AZURE|ARM)_|Azure token/,
    /azure|microsoft|windows\.net/,
    'management.azure.com dev.azure.com graph.microsoft.com azurecr.io vault.azure.net',
  ],
  [/^OPENAI_/, /openai|azure/],
  [/^ANTHROPIC_/, /anthropic|claude/],
  [/^(?:HF|HUGGING_?FACE)_/, /huggingface|hf\.co/],
  [/^SLACK_/, /slack/],
  [/^STRIPE_/, /stripe/],
  [/^(?:CLOUDFLARE|CF)_/, /cloudflare/],
  [/^HEROKU_|Heroku token/, /heroku/, 'api.heroku.com registry.heroku.com'],
  [/^VERCEL_/, /vercel/],
  [/^NETLIFY_/, /netlify/],
  [/^(?:DIGITALOCEAN|DO)_|DigitalOcean token/, /digitalocean/, 'api.digitalocean.com registry.digitalocean.com'],
  [/^FLY_|Fly token/, /fly/, 'api.machines.dev api.fly.io registry.fly.io'],
  [/^SENTRY_/, /sentry/],
  [/^SENDGRID_/, /sendgrid/],
  [/^TWILIO_/, /twilio/],
]

/**
 * True if a command only logs in with a secret that it is given: at its owner's, or, where nobody knows whose it is, with
 * a program that does nothing but log in. A workflow has its registry in a variable, which its owner has set.
 */
export function logsIn(secret: string, command: ShellCommand, host: string): boolean {
  const [, hosts, domains = ''] = owners.find(([names]) => names.test(secret)) ?? []
  if (command.network?.login === true) {
    const isSet = command.network.host === undefined && command.later?.place === 'ci'
    return hosts === undefined || isSet || isOneOf(host, domains)
  }
  return logsInAt(command) && isOneOf(host, domains)
}

/** True if a program sends what it is given as a header, a password or a part of an address, and not as data. */
export const logsInAt = (command: ShellCommand): boolean =>
  isRequest(command) &&
  !lineOfRequest(command).given.some(({ use, value }) => value.unresolved === true && use === 'data')

/** True if a host is of the service that a variable is named after: `RESEND_API_KEY` at `api.resend.com`. */
export function isProvider(variable: string, host: string): boolean {
  const [, hosts, domains] = owners.find(([names]) => names.test(variable)) ?? []
  if (domains !== undefined) return isOneOf(host, domains)
  const [label = ''] = domainOf(host).split('.')
  const words = variable.toLowerCase().split('_')
  const names = words.flatMap((word, at) => [word, `${word}${words[at + 1] ?? ''}`])
  return hosts === undefined ? label.length > 2 && names.includes(label) : hosts.test(label)
}

const isOneOf = (host: string, domains: string) =>
  domains.split(' ').some((one) => {
    const name = one.replaceAll('.', '\\.').replaceAll('*', '[\\w-]+')
    return one !== '' && new RegExp(`^(?:[\\w-]+\\.)*${name}$`).test(host)
  })

/** The key of a known service that a command uses to log in with at another's host. */
export function misdirectedKey(command: ShellCommand): string | undefined {
  const host = command.network?.host ?? ''
  if (!isRequest(command) || host === '' || isLocal.test(host)) return undefined
  return command.args.map(secretIn).find((variable) => variable !== undefined && isMisdirected(variable, host))
}

/** True for a key of a known service at a host that is not of it. */
export function isMisdirected(variable: string, host: string): boolean {
  const owner = owners.find(([names]) => names.test(variable))
  return owner !== undefined && !owner[1].test(host)
}

const isLocal = /^(?:localhost|127\.|\[?::1|10\.|192\.168\.)|\.(?:local|localhost|internal)$/

/** A word that is nothing but the variable is an address: `curl "$DATABASE_URL"`. */
const isWhole = (value: string) => value.length === 1

/** True if a command passes on whatever comes on stdin. */
const passesOn = ({ network }: ShellCommand) => network?.kind === 'stream' || network?.kind === 'mail'
/** A value by which a request sends what comes on stdin: `@-`, `file=@-`. */
const fromStdin = /^(?:[^]*[@=<])?(?:-|\/dev\/stdin)$/
const sendsStdin = (command: ShellCommand) =>
  lineOfRequest(command).given.some(({ use, value }) => use === 'data' && fromStdin.test(value.value))

/** True if a command's output is piped unchanged into one that sends it, other than to log in. */
export function sendsAsData({ commands, flows }: ShellFacts, at: number): boolean {
  const reached = [at]
  for (const one of reached) {
    for (const { from, to, via } of flows) {
      if (from !== one || reached.includes(to)) continue
      const receiver = commands[to]
      if (receiver === undefined) continue
      if (via === 'pipe' && passesOn(receiver)) return true
      if (via === 'pipe' && isRequest(receiver) && sendsStdin(receiver)) return true
      if (via === 'pipe') reached.push(to)
    }
  }
  return false
}
