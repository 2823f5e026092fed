import {
  abstains,
  definePolicy,
  denies,
  deny,
  type Impact,
  isLoopback,
  quoted,
  type ShellCommand,
} from 'hookgate/policy'

/** Packages as registries take them, and all files of a folder of them. */
const archive = /[\w.-]\.(?:gem|whl|tgz|tar\.gz|crate|nupkg|vsix|snap|conda|rockspec)$|\/\*$/

const archivesOf = (command: ShellCommand | undefined) =>
  (command?.args ?? []).flatMap(({ value, pattern = value }) =>
    archive.test(value) ? [value] : archive.test(pattern) ? [pattern] : [],
  )

const packageIn = ([name]: readonly string[]) => (name === undefined ? 'a package' : quoted(name))

export default definePolicy({
  id: 'publishing',
  description: 'Refuses to publish packages or to take them back: others get them at once, and it cannot be undone',
  severity: 'high',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['packages', 'withdraw', 'revoke', 'publish'] },
  params: {
    publishingManagers: {
      type: 'strings',
      default: ['docker'],
      description: 'package managers that may publish, by name',
    },
  },
  decide({ impacts, shell, params }) {
    for (const impact of impacts) {
      const { kind, area, thing, by: at, names, words, through, targets } = impact
      if (thing !== 'package' || (area !== 'packages' && area !== 'code-hosting')) continue
      // Of a program whose first word is not known, nothing says that it is about a package.
      if (area === 'code-hosting' && impact.unsure === true) continue
      if (typeof at !== 'number' || shell.commands[at]?.elsewhere === true) continue
      const program = (words.split(' ', 1)[0] ?? '').replace(/w$/, '')
      if (params.publishingManagers.includes(program)) continue
      if (kind === 'publish' && area === 'packages' && !staysHere(impact)) {
        return through === 'request'
          ? deny(
              `this publishes to ${targets['host']?.[0] ?? 'a registry'} past the package manager: let the person publish`,
              { at },
            )
          : deny(
              `\`${words}\` publishes ${packageIn(names.length > 0 ? names : archivesOf(shell.commands[at]))} to everybody, for good: ${shell.commands[at]?.traits?.includes('triesPublishing') === true ? 'try `--dry-run`, and ' : ''}let the person publish it`,
              { at },
            )
      }
      const named = packageIn(names)
      if (
        kind === 'withdraw' ||
        kind === 'revoke' ||
        kind === 'grant' ||
        (kind === 'delete' && area === 'code-hosting')
      ) {
        return deny(
          `\`${words}\` ${kind === 'grant' ? `makes somebody an owner of ${named}` : `takes ${named} away from others`}: let the person do it`,
          { at },
        )
      }
    }
    return undefined
  },
  examples: [
    denies('to npm', 'npm publish --access public'),
    abstains('a try', 'npm publish --dry-run'),
    denies('to PyPI', 'python3 -m twine upload dist/*'),
    abstains('a look', 'twine check dist/*'),
    denies('to crates.io', 'cargo +stable publish'),
    abstains('a package that is kept', 'cargo package'),
    denies('back from npm', 'npm unpublish left-pad@1.0.0'),
    abstains('who a gem belongs to', 'gem owner rake'),
    denies('a gem for others', 'gem owner rake -a me@example.com'),
    abstains('who it belongs to', 'npm owner ls left-pad'),
    denies('to RubyGems', 'gem push a-1.0.gem'),
    abstains('a gem that is built', 'gem build a.gemspec'),
    abstains('allowed', 'npm publish', { params: { publishingManagers: ['npm'] } }),
    abstains('only printed', 'echo npm publish'),
  ],
})

/** A registry on this machine, or a feed that is a folder. */
const isHere = (place: string) => isLoopback(place) || /^(?:\.{0,2}[/\\]|[a-z]:\\)/i.test(place)

const staysHere = ({ targets: { index = [], host = [] }, names }: Impact) => [...index, ...host, ...names].some(isHere)
