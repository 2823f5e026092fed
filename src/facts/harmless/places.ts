/** Files that hold what opens something: keys, passwords, tokens, and the shell's memory of them. In lower case. */
import { rootAround } from '../../words/paths.ts'
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
export const isOutside = (path: string, roots: readonly string[]): boolean =>
  path.startsWith('/') &&
  rootAround(normal(path), [...roots, '/home', '/Users', '/tmp', '/var/tmp', '/private/tmp', '/dev']) === undefined
