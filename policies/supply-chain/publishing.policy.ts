import { abstains, definePolicy, denies, deny, tableOf } from 'hookgate/policy'
import { type PackageCall, packageCallOf, packagePrograms, verbsFor } from './managers.ts'

export default definePolicy({
  id: 'publishing',
  description: 'Refuses to publish packages or to take them back: others get them at once, and it cannot be undone',
  severity: 'high',
  on: 'PreToolUse',
  tool: 'shell',
  interest: {
    words: [...packagePrograms, 'curl'],
    with: [...tableOf(verbsFor, 'publish', 'unpublish'), 'PUT XPUT T upload'],
  },
  params: {
    publishingManagers: {
      type: 'strings',
      default: ['docker'],
      description: 'package managers that may publish, by name',
    },
  },
  decide({ shell, params }) {
    for (const [at, command] of shell.commands.entries()) {
      const host = command.network?.host ?? ''
      if (
        command.network?.direction === 'both' &&
        registries.test(host) &&
        command.args.some(({ value }) => puts.test(value))
      )
        return deny(`this publishes to ${host} past the package manager: let the person publish`, { at })
      const call = packageCallOf(command)
      if (call === undefined || params.publishingManagers.includes(call.manager)) continue
      if (call.act === 'unpublish' && /^(?:owner|dist-tag|access)$/.test(call.verb) && onlyShows(call.words[1]))
        continue
      // `gem owner` without an option lists.
      if (call.manager === 'gem' && call.verb === 'owner' && !call.options.has('a', 'add', 'r', 'remove')) continue
      if (call.options.surely('n', 'dry-run') && call.manager !== 'dotnet') continue
      if (call.act === 'publish') {
        if (command.args.some(({ value }) => isHere.test(value)) || goesToFolder(call)) continue
        return deny(
          `${call.manager} ${call.verb} publishes this to everybody, permanently: try with --dry-run, and let the person publish`,
          { at },
        )
      }
      if (call.act === 'unpublish') {
        return deny(`${call.manager} ${call.verb} changes what others have already built on: let the person do it`, {
          at,
        })
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

/** An address of a registry on this machine. */
const isHere = /^(?:-[\w-]+=)?(?:\w+:\/\/)?(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)/

/** Registries of everybody's packages, and a request that puts one there. */
const registries =
  /^(?:registry\.(?:npmjs\.org|yarnpkg\.com)|npm\.pkg\.github\.com|upload\.pypi\.org|crates\.io|rubygems\.org)$/
const puts = /^(?:-X|--request=)?PUT$|^(?:-T|--upload-file)/i

/** A feed of NuGet's that is a folder. */
const goesToFolder = ({ manager, options }: PackageCall) =>
  /^(?:dotnet|nuget)$/.test(manager) &&
  options.values('s', 'source').some(({ value }) => /^(?:\.{0,2}[/\\]|[a-z]:\\)/i.test(value))

const onlyShows = (word: string | undefined) =>
  word === undefined || /^(?:ls|list|ls-packages|ls-collaborators|get|status|--list)$/.test(word)
