import { abstains, ask, asks, definePolicy, plainReading, type ShellCommand, shownHost } from 'hookgate/policy'

/** True for a word that a command only writes or looks for, or the name of a file that it lists. */
const isText = ({ output, network, paths }: ShellCommand, word: string): boolean =>
  network === undefined &&
  (output !== undefined || paths.some(({ metadata, written }) => metadata === true && written === word))

/** Hosts that are imitated, with a letter in a word that stands before a path: `gcr.іo/a/b`. */
const known =
  /^(?:[\w-]+\.)*(?:github|gitlab|bitbucket|codeberg|npmjs|pypi|python|crates|rubygems|golang|docker|quay|gcr|ghcr|google|googleapis|microsoft|azure|amazonaws|apple|openai|anthropic|huggingface|paypal|stripe|cloudflare|slack)\.(?:com|org|io|dev|net|co)$/

/** Hosts in a word: of an address, behind a user, or at the beginning of a path. */
const address = /(?:^|[=+\s"'(])[a-z][\w+.-]*:\/\/(?:[^\s/@]*@)?([^\s/:?#@"'()]+)/iu
const behindUser = /^[\w.-]+@([^\s/:@]+\.[^\s/:@]+)(?::|$)/u
const first = /^([^\s/:@=]+\.[^\s/:@=]+)[/:]/u

/** Returns the host that another is taken for. */
const readingOf = (host: string) => plainReading(shownHost(host)) ?? withoutMarks(shownHost(host))

/** Returns the host that a host in a text is taken for, and is not; `undefined` if it is what it looks like. */
function imitated(text: string): string | undefined {
  const hosts = [...text.matchAll(new RegExp(address, 'giu'))].map(([, host = '']) => host)
  const found = [...hosts, behindUser.exec(text)?.[1] ?? ''].map(readingOf).find((one) => one !== undefined)
  if (found !== undefined) return found
  const bare = readingOf(first.exec(text)?.[1] ?? '')
  return bare !== undefined && known.test(bare) ? bare : undefined
}

/** Returns a known host that another is but for marks on its letters: `githúb.com`. */
function withoutMarks(host: string): string | undefined {
  const plain = host.normalize('NFD').replaceAll(/\p{M}/gu, '')
  return plain !== host.normalize('NFD') && known.test(plain) ? plain : undefined
}

const mayImitate = (text: string): boolean => /[^\0-\x7F]|xn--/iu.test(text)

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap((one: unknown) => (typeof one === 'string' ? [one] : []))
}

const answer = (host: string, at?: number) =>
  ask(
    `this address looks like \`${host}\` and is another: write the host in plain letters`,
    at === undefined ? {} : { at },
  )

export default definePolicy({
  id: 'disguised-hosts',
  severity: 'high',
  description:
    'Asks before a host is used that only looks like another: letters of other scripts, `xn--…`, invisible characters',
  on: 'PreToolUse',
  tool: ['shell', 'fetch', 'mcp', 'browser'],
  decide({ tool, shell }) {
    if (tool.kind === 'shell') {
      if (!mayImitate(tool.command ?? '')) return undefined
      for (const [at, command] of shell.commands.entries()) {
        const words = command.args
          .map(({ value }) => value)
          .filter((word) => mayImitate(word) && !/\s/.test(word) && !isText(command, word))
        const host = words.map(imitated).find((one) => one !== undefined)
        if (host !== undefined) return answer(host, at)
      }
      return undefined
    }
    const texts = [tool.url ?? '', ...textsOf(tool.input)].filter((text) => mayImitate(text) && /^[^\s]*$/.test(text))
    const host = texts.map(imitated).find((one) => one !== undefined)
    return host === undefined ? undefined : answer(host)
  },
  examples: [
    asks('a letter of another script', 'git clone https://g\u0456thub.com/a/b'),
    asks('as it is encoded', 'curl https://xn--gthub-n2e.com/a'),
    asks('behind a user', 'git clone git@g\u0131thub.com:a/b.git'),
    asks('a wide letter', 'curl https://\uFF47ithub.com/a'),
    asks('an invisible character', 'curl https://git\u200Bhub.com/a'),
    asks('in an option', 'npm install --registry=https://registry.npmj\u0455.org a'),
    asks('an image', 'docker pull gcr.\u0456o/a/b'),
    asks('marks on a known one', 'curl https://gith\u00FAb.com/a'),
    asks('that is fetched', { tool: 'fetch', input: { url: 'https://g\u0456thub.com/a' } }),
    abstains(
      'a host of another language',
      'curl https://m\u00FCnchen.de https://\u043F\u043E\u0447\u0442\u0430.\u0440\u0444',
    ),
    abstains('a host of another language, as it is encoded', 'curl https://xn--mnchen-3ya.de'),
    abstains('in a text', 'git commit -m "not g\u0456thub.com, see https://g\u0456thub.com"'),
    abstains('that is printed', 'echo https://g\u0456thub.com'),
    abstains('a file of such a name', 'cp \u0441\u043E\u0440.txt a/'),
    abstains('a plain one', 'git clone https://github.com/a/b'),
  ],
})
