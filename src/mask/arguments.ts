import {
  isAt,
  maskAt,
  type MaskReach,
  randomValueAt,
  restOfWordAt,
  type SecretPlace,
  type SecretSeen,
  valueAt,
} from './value.ts'

/** Options of programs whose values are secret. A quote that begins before the value is captured. */
const optionsOf: readonly (readonly [programs: string, option: string])[] = [
  ['(?:mysql|mariadb)[\\w-]{0,12}|7z[ar]?|rar|unrar', '-(?:hp|p)(?=\\S)'],
  [
    'sshpass|(?:docker|podman|buildah|skopeo|nerdctl|helm registry|oras|crane(?: auth)?|az|oc) login|mongo\\w{0,8}' +
      '|twine|cqlsh|cypher-shell|beeline|psexec',
    '-p ?',
  ],
  [
    'curl|xh|https?|lftp',
    '(?:(?:-[uUa]|--(?:proxy-)?user|--auth)(?:=| )?(\\\\?["\'])?[^\\s:,"\']{0,200}[:,]' +
      '|(?:-b|--cookie)(?:=| )?(\\\\?["\'])?(?=[^\\s"\']{1,200}=))',
  ],
  ['redis-cli', '-a '],
  ['sqlcmd|bcp|zip|unzip|ipmitool|mosquitto_(?:pub|sub)', '-P ?'],
  ['ldap\\w{3,8}|security add-\\w{1,10}-password', '-w '],
  ['openssl', '-[kK] '],
  ['smbclient|rpcclient', '-U ?(["\'])?[^\\s%"\']{1,100}%'],
  ['gh secret set', '(?:-b|--body)(?:=| )'],
  ['dotnet nuget push', '-k '],
  ['ssm put-parameter|keyvault secret set|secret:create', '--value(?:=| )'],
  [
    'vault (?:kv )?(?:put|patch|write)|kubectl create secret|heroku config:(?:set|add)|fly(?:ctl)? secrets (?:set|import)' +
      '|(?:doppler|supabase) secrets set|railway variables',
    '(?:--from-literal(?:=| )|--set )?(["\'])?[A-Za-z_][\\w.-]{0,100}=',
  ],
]

/** Finds whether a text may have any of these options, much faster than the programs would be found. */
const hasOption = (text: string) => anyOption.test(text) || assigning.some((words) => text.includes(words))
const anyOption = /\s-(?:[abkKpPuUwh]|-(?:user|proxy-user|auth|cookie|body|value))/
const assigning = ['vault', 'secret', 'heroku', 'railway']

/** What comes directly before a secret, each with words that a text has to contain for it. */
const precedingArguments: readonly (readonly [words: string, before: string])[] = [
  ['htpasswd', 'htpasswd -(?!\\w{0,8}n)\\w{0,8}b\\w{0,8} \\S{1,200} \\S{1,100} '],
  ['htpasswd', 'htpasswd -(?=\\w{0,8}n)\\w{0,8}b\\w{0,8} \\S{1,100} '],
  [' login', '(?:vault|cargo) login (?!-|\\w{1,20}=)'],
  ['rclone', 'rclone obscure '],
  ['setApiKey', 'nuget setApiKey '],
  ['wpa_passphrase', 'wpa_passphrase \\S{1,100} '],
  ['net user', 'net user \\S{1,100} (?!/)'],
  ['rabbitmqctl', 'rabbitmqctl (?:add_user|change_password) \\S{1,100} '],
  ['env:set', 'netlify env:set \\S{1,100} '],
  ['pypi-token', 'pypi-token\\.\\S{1,60} '],
  ['user-secrets', 'dotnet user-secrets set \\S{1,100} '],
  ['SecureString', 'ConvertTo-SecureString (?:-String )?(?!-)'],
  ['password', '(?:account|login|machine) \\S{1,200} password '], // .netrc
  ['pass:', '-(?:pass(?:in|out|word)?|k) \\\\{0,3}["\']?pass:'], // openssl
  ['<<<', '(?:--?[\\w-]{1,20}|chpasswd) ?<<< ?'],
]

const precedingPlaces: readonly { words: string; place: SecretPlace }[] = [
  ...precedingArguments.map(([words, before]) => {
    const place = { before: new RegExp(`(?<![\\w.])(?:${spaced(before)})`, 'g'), valueAt }
    return { words, place }
  }),
  // A token in place of a user's name.
  { words: 'curl', place: { before: /\s-(?:u|-user)[ =]?["']?/g, valueAt: randomValueAt } },
]

/** Matches a pipe to a program that reads a secret from its input. */
const pipeToReader = new RegExp(
  `\\\\?["']?\\s{0,8}\\|[^|\\n]{0,200}?(?:${spaced('--\\w{0,20}-?stdin|--with-token|chpasswd|passwd|sudo -S|vault login|secrets? (?:put|set|add|create|versions)')})`,
  'y',
)
/** One of these is in each of them. */
const readers = ['stdin', 'with-token', 'passwd', 'sudo -S', 'vault', 'secret']

const echoed = new RegExp(spaced('(?<![\\w.-])(?:echo|printf) (?:-\\w{1,3} )?(?:["\']?%s(?:\\\\n)?["\']? )?'), 'g')
/** Characters of words that were read and turned out not to be piped to a reader. */
const unpipedCharactersMax = 1024 * 1024

/** Returns the place of what a text pipes to a program that reads a secret. */
function pipedSecret(): SecretPlace {
  // A word may hold the next `echo`, whose word is as long: how much is read for nothing is bounded. Then all of them count.
  let unpiped = 0
  return {
    before: echoed,
    valueAt(text, index) {
      const span = valueAt(text, index)
      if (span === undefined || unpiped > unpipedCharactersMax || isAt(pipeToReader, text, span.end)) return span
      unpiped += span.end - span.start
      return undefined
    },
  }
}

/** Masks the arguments of commands that are secret for the program that they are for. */
export function maskArguments(text: string, reach: MaskReach, seen?: SecretSeen): string {
  let masked = text
  const hasWords = (words: string) => text.includes(words)
  for (const { words, place } of precedingPlaces) if (hasWords(words)) masked = maskAt(masked, place, reach, seen)
  if (text.includes('|') && readers.some(hasWords)) masked = maskAt(masked, pipedSecret(), reach, seen)
  return hasOption(text) ? maskOptions(masked, reach, seen) : masked
}

/** Matches each program of the table, as a group of its own for each row. */
const anyProgram = new RegExp(
  `(?<![\\w.-])(?:${optionsOf.map(([names]) => `(${spaced(names)})`).join('|')})(?=\\s)`,
  'g',
)
const optionPlaces = optionsOf.map(([, option]): SecretPlace => ({
  before: new RegExp(`(?<=\\s)${spaced(option)}`, 'g'),
  valueAt(text, index, [, ...quotes]) {
    const quote = quotes.find((one) => one !== undefined)
    return quote === undefined ? valueAt(text, index) : restOfWordAt(text, index, quote)
  },
}))

function maskOptions(text: string, reach: MaskReach, seen: SecretSeen | undefined): string {
  let masked = ''
  let from = 0
  anyProgram.lastIndex = 0
  for (let match = anyProgram.exec(text); match !== null; match = anyProgram.exec(text)) {
    const place = optionPlaces[match.findIndex((group, index) => index > 0 && group !== undefined) - 1]
    const end = commandEnd(text, anyProgram.lastIndex)
    const rest = text.slice(anyProgram.lastIndex, end)
    masked += text.slice(from, anyProgram.lastIndex) + (place === undefined ? rest : maskAt(rest, place, reach, seen))
    from = end
    anyProgram.lastIndex = end
  }
  return from === 0 ? text : masked + text.slice(from)
}

/** Returns the index at which a command of a shell ends, as far as quotes tell. */
function commandEnd(text: string, from: number): number {
  let quote = ''
  for (let index = from; index < text.length; index += 1) {
    const character = text[index] ?? ''
    if (character === '\\') index += 1
    else if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '"' || character === "'") quote = character
    else if (/[\n;|&]/.test(character)) return index
  }
  return text.length
}

/** Lets a space in the tables stand for several, and for tabs. */
function spaced(pattern: string): string {
  return pattern.replaceAll(' ?', '\\s{0,8}').replaceAll(' ', '\\s{1,8}')
}
