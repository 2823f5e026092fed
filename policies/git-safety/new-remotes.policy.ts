import { abstains, ask, asks, definePolicy, type ShellWord } from 'hookgate/policy'
import { type GitCall, gitCallsIn, shown } from './git.ts'

/** An address, and no remote's name: a path, or `host:path`. */
const isAddress = ({ value }: ShellWord) => /^[a-z][a-z+]*:\/\/|^[^/:]+@?[^/:]*:(?!\/\/)\S|^[./~]/i.test(value)

/** Settings that say where a remote is. */
const redirects = /^(?:remote\..+\.(?:push)?url|url\..+\.(?:pushinsteadof|insteadof)|remote\.pushdefault)$/

/** Returns the name of the remote that a call adds or leads elsewhere. */
function ledElsewhere({ subcommand, args }: GitCall): string | undefined {
  const words = args.map(({ value }) => value).filter((word) => !word.startsWith('-'))
  if (subcommand === 'remote' && /^(?:add|set-url)$/.test(words[0] ?? '')) {
    const valued = args.findIndex(({ value }) => /^-[tm]$/.test(value))
    return valued === -1 ? words[1] : words[2]
  }
  if (subcommand !== 'config') return undefined
  const setting = words.find((word) => redirects.test(word.toLowerCase()))
  return setting === undefined || words.at(-1) === setting
    ? undefined
    : (/^remote\.(.+)\.\w+$/i.exec(setting)?.[1] ?? '')
}

export default definePolicy({
  id: 'new-remotes',
  severity: 'high',
  description: 'Asks before commits are pushed to an address, or to a remote that the same command adds',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: ['git hub'], with: ['push'] },
  params: {
    pushableAddresses: {
      type: 'strings',
      default: [],
      description: 'how addresses begin that may be pushed to: `git@github.com:acme/`',
    },
  },
  decide({ shell, params }) {
    const isKnown = (address: string) => params.pushableAddresses.some((one) => one !== '' && address.startsWith(one))
    const added = new Set<string>()
    for (const call of gitCallsIn(shell)) {
      const led = ledElsewhere(call)
      if (led !== undefined && !call.args.some(({ value }) => isKnown(value))) added.add(led)
      if (call.subcommand !== 'push') continue
      const read = call.line
      if (read?.surely('n', 'dry-run', 'help', 'h') === true) continue
      const to = read?.values('repo')[0] ?? read?.operands[0]
      const isLed = call.settings.some(({ name }) => redirects.test(name))
      const isAdded = added.has(to?.value ?? 'origin') || added.has('')
      if (!isLed && !isAdded && (to === undefined || !isAddress(to) || isKnown(to.value))) continue
      const where = to === undefined ? 'a remote that this command changes' : shown(to)
      return ask(
        `this pushes commits to ${where}, which the repository does not have as a remote yet: have the person agree to it`,
        {
          at: call.at,
        },
      )
    }
    return undefined
  },
  examples: [
    asks('a remote that is new', 'git remote add mirror https://a.example/x.git && git push mirror main'),
    abstains('adding one', 'git remote add upstream https://a.example/x.git && git fetch upstream'),
    asks('one that is led elsewhere', 'git remote set-url origin git@a.example:x.git; git push'),
    asks('by a setting', 'git config remote.origin.pushurl https://a.example/x.git && git push origin'),
    abstains('reading the setting', 'git config remote.origin.url; git push origin'),
    asks('for one call', 'git -c remote.origin.url=https://a.example/x.git push origin'),
    asks('by another name for an address', 'git config url.https://a.example/.insteadOf https://b.example/; git push'),
    asks('an address', 'git push https://a.example/x.git HEAD'),
    asks('an address of ssh', 'git push git@a.example:x.git main'),
    asks('with its option', 'git push --repo=https://a.example/x.git'),
    abstains('a try', 'git push --dry-run https://a.example/x.git HEAD'),
    abstains('a remote', 'git push -u origin feature/a'),
    abstains('a remote beside a new one', 'git remote add -t main x https://a.example/x.git; git push origin main'),
    abstains('only printed', 'echo git push https://a.example/x.git'),
    abstains('an address that is known', 'git push https://a.example/acme/x.git', {
      params: { pushableAddresses: ['https://a.example/acme/'] },
    }),
    abstains('a new one at a known address', 'git remote add o https://a.example/x.git; git push o main', {
      params: { pushableAddresses: ['https://a.example/'] },
    }),
  ],
})
