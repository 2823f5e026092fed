import { type ShellCommand, type ShellWord, unknownPart } from '../../model/shell.ts'
import { rootAround } from '../../words/paths.ts'
import { hasTrait, textFormOf } from '../programs/table.ts'

/** A word without the name of a key or certificate at its end. */
function withoutKey(word: string): string {
  const start = Math.max(...['/', '=', ':'].map((mark) => word.lastIndexOf(mark))) + 1
  return /\.(?:pem|key)$/i.test(word) ? word.slice(0, start) : word
}

export const readsSecret = ({ program, args, paths, redirections }: ShellCommand): boolean => {
  const isSecret = hasTrait(program, 'usesKeys') ? (word: string) => isSecretWord(withoutKey(word)) : isSecretWord
  if (
    paths.some(
      (path) =>
        path.access === 'read' &&
        path.metadata !== true &&
        (isSecret(path.written) ||
          (path.absolute !== undefined && path.absolute !== path.written && isSecret(path.absolute)) ||
          (path.real !== undefined && isSecret(path.real))),
    )
  )
    return true
  if (
    redirections.some(({ operator, target }) => operator === '<' && target !== undefined && isSecretWord(target.value))
  )
    return true
  return (
    !hasTrait(program, 'namesOnly') &&
    !hasTrait(program, 'patternsFirst') &&
    args.some((word) => isSecret(word.value) && looksLikeFile(program, word))
  )
}

/** True if a word may be a file name. Clouds and package managers have resources called secrets. */
const looksLikeFile = (program: string, { value }: ShellWord): boolean =>
  !hasTrait(program, 'namesSecrets') || /(^|[/:=@])\.[a-z]|\.(pem|key|p12|pfx)$|^id_|\/id_|shadow|sudoers/.test(value)

/** True if a command's output becomes part of another command's words. */
const isInner = ({ reach }: ShellCommand): boolean => reach.some(({ through }) => through === 'substitution')

/** True if file names become part of another command's words. */
const isListed = (command: ShellCommand): boolean => command.search?.finds === 'entries' && isInner(command)

/** Folders of installed programs, libraries and their data. */
const installed =
  /^\/(?:usr\/(?:local\/)?(?:bin|sbin|include|lib|lib32|lib64|libexec|share|src|go)|lib|lib64|nix\/store|opt\/homebrew\/(?:lib|share|include|opt|Cellar))(?:\/|$)/

/** All of a home, or of the machine: somewhere in it are keys. */
export const readsEverything = ({ paths }: ShellCommand): boolean =>
  paths.some(
    ({ access, metadata, recursive, unresolved, absolute, root, inHome }) =>
      access === 'read' &&
      metadata !== true &&
      (recursive === true || unresolved === true) &&
      absolute !== undefined &&
      root === undefined &&
      (inHome === undefined ? isOutside(absolute, []) && !installed.test(absolute) : inHome === ''),
  )

/** True if a command reads outside data that becomes words of another command, or a path that is not in the text. */
export function readsOutside(command: ShellCommand, roots: readonly string[], own: string): boolean {
  const isUnseen = (path: string) => isOutside(path, roots) && (isInner(command) || !own.includes(path))
  const files = command.redirections.flatMap(({ operator, target }) => (operator === '<' ? (target ?? []) : []))
  return (
    (isInner(command) && hasTrait(command.program, 'fetches')) ||
    [...(hasTrait(command.program, 'namesOnly') && !isListed(command) ? [] : command.args), ...files].some(
      ({ value }) => isUnseen(value),
    ) ||
    command.paths.some(
      ({ access, metadata, written, absolute = '' }) =>
        access === 'read' &&
        (metadata !== true || isInner(command)) &&
        (isUnseen(written) || (isInner(command) && isOutside(absolute, roots))),
    )
  )
}

/** Variables of an environment that hold what opens something. */
const secretVariable = /^(?=[A-Z\d_]+$).*?(?:SECRET|TOKEN|PASSW(?:OR)?D|CREDENTIAL|_KEY|APIKEY|_PASS|_AUTH)/

/** Code of jq that reads the environment. */
const readsVariables = /\$ENV\b|(?:^|[^.\w])(?:str)?env\b/

/** True if a command prints a variable that may be secret, by its own name or one that is not known. */
export const showsVariable = ({ program, args }: ShellCommand): boolean =>
  (/^(?:words|format)$/.test(textFormOf(program) ?? '') &&
    args.some(({ variable = '', variables = [variable] }) =>
      variables.some((name) => name === unknownPart || secretVariable.test(name)),
    )) ||
  (hasTrait(program, 'queries') && args.some(({ value }) => readsVariables.test(value)))

/** Files that hold what opens something: keys, passwords, tokens, and the shell's memory of them. In lower case. */
const secret = new RegExp(
  [
    String.raw`\.env(rc)?(\.(?!example|sample|template|dist)[\w.-]*)?`,
    String.raw`\.(netrc|pgpass|my\.cnf|pypirc|npmrc|yarnrc(\.yml)?|git-credentials|htpasswd|boto|s3cfg|dockercfg|vault-token|terraformrc|mailrc)`,
    String.raw`\.(ssh|gnupg|aws|azure|kube|password-store|docker|gcloud|keychains?)`,
    String.raw`\.(bash|zsh|python|node_repl|mysql|psql|sqlite|rediscli)_history`,
    String.raw`id_(rsa|dsa|ecdsa|ed25519)[\w.-]*`,
    String.raw`ssh_host_\w+_key`,
    String.raw`[^/=@:,\s]+\.(pem|key|p12|pfx|jks|keystore|kdbx|asc|ppk|gpg|ovpn|keychain(-db)?)`,
    String.raw`(g?shadow|sudoers(\.d)?|passwd-|master\.passwd|opasswd|krb5\.keytab)`,
    String.raw`[^/=@:,\s]*(secret|credential|password|passwd_file|private[_-]?key|api[_-]?key|access[_-]?token|auth[_-]?token|sensitive)[^/=@:,\s]*`,
    String.raw`(auth|token|tokens|hosts|kubeconfig)\.(json|ya?ml|db)`,
    String.raw`[^/=@:,\s]*(cookies|login data|logins\.json|key[34]\.db|keychains)`,
    String.raw`(gcloud|gh|containers|op|1password|doppler|rclone|hub)`,
  ]
    .slice(0, -1)
    .map((part) => `(${part})`)
    .join('|'),
)
const whole = new RegExp(`^(${secret.source})$`)

/** Memory, other processes and raw disks in `/proc` and `/dev`, and root's home. */
const system =
  /^\/(root|dev\/(?!null|zero|stdin|stdout|stderr|fd\/|tty$|full|random|urandom)|proc\/[^/]+\/(environ|mem|fd|root|cwd|maps)|proc\/(kcore|kmsg|keys|key-users|kallsyms)|etc\/ssl\/private|sys\/(kernel|firmware))|^\/(private\/)?(etc|var)\/(db\/dslocal|root)/

/** The parts of a word that may be a path: behind `=`, `@` and `:`, too, as in `HEAD:.env`. */
const pathsIn = (word: string): readonly string[] => word.split(/[=@:,\s]+/)

/** The half of a key that is for others. */
const publicKey = /(?:^|\/)\.ssh\/[\w.@-]+\.pub$/

/** Any part of a word that may be secret, with whatever separates it: most words have none, and are looked at once. */
const anywhere = new RegExp(`(?:^|[/=@:,\\s])(?:${secret.source})(?=[/=@:,\\s]|$)`)

/** True if a word names something that should not be read without a question. */
export function isSecretWord(word: string): boolean {
  const lower = word.toLowerCase()
  const isNamed = anywhere.test(lower) || /[*?[{]/.test(lower)
  if (!isNamed && !mayBeAbsolute.test(lower)) return false
  return pathsIn(lower).some(
    (path) =>
      (isNamed && !publicKey.test(path) && path.split('/').some((name) => whole.test(name) || isMatchFor(name))) ||
      system.test(normal(path)),
  )
}

/** A path of the system may begin behind what separates the parts of a word. */
const mayBeAbsolute = /(?:^|[=@:,\s])\//

/** Patterns like `credential?` and `.en*`: what they match is not known, so what they begin with counts. */
const isMatchFor = (name: string): boolean =>
  /[*?[{]/.test(name) && /^(\.[*?[{]|\.e|\.en|\.ssh?|\.aw?s?|id_|\.n?e?t?r?c?$|credential|shado|\.gnu)/.test(name)

/** A path without `.`, `..` and doubled slashes, as far as its text tells. */
function normal(path: string): string {
  if (!path.startsWith('/') || !/\/(?:[./]|$)/.test(path)) return path
  const names: string[] = []
  for (const name of path.split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return `/${names.join('/')}`
}

/** True if an absolute path is in no workspace, home or temporary folder. */
const isOutside = (path: string, roots: readonly string[]): boolean =>
  path.startsWith('/') &&
  rootAround(normal(path), [...roots, '/home', '/Users', '/tmp', '/var/tmp', '/private/tmp', '/dev']) === undefined
