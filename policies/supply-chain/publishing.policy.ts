import { definePolicy, deny } from 'hookgate/policy'
import { packageCallOf } from './managers.ts'

export default definePolicy({
  id: 'publishing',
  description: 'Refuses to publish packages or to take them back: others get them at once, and it cannot be undone',
  severity: 'high',
  on: 'PreToolUse',
  tool: 'shell',
  params: {
    publishingManagers: {
      type: 'strings',
      default: ['docker'],
      description: 'package managers that may publish, by name',
    },
  },
  decide({ shell, params }) {
    for (const [at, command] of shell.commands.entries()) {
      const call = packageCallOf(command)
      if (call === undefined || params.publishingManagers.includes(call.manager)) continue
      if (call.act === 'unpublish' && /^(?:owner|dist-tag|access)$/.test(call.verb) && onlyShows(call.words[1]))
        continue
      // `gem owner` without an option lists.
      if (call.manager === 'gem' && call.verb === 'owner' && !call.options.has('a', 'add', 'r', 'remove')) continue
      if (call.options.has('n', 'dry-run') && call.manager !== 'dotnet') continue
      if (call.act === 'publish') {
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
    { name: 'to npm', given: { input: { command: 'npm publish --access public' } }, want: 'deny' },
    { name: 'a try', given: { input: { command: 'npm publish --dry-run' } }, want: 'abstain' },
    { name: 'to PyPI', given: { input: { command: 'python3 -m twine upload dist/*' } }, want: 'deny' },
    { name: 'a look', given: { input: { command: 'twine check dist/*' } }, want: 'abstain' },
    { name: 'to crates.io', given: { input: { command: 'cargo +stable publish' } }, want: 'deny' },
    { name: 'a package that is kept', given: { input: { command: 'cargo package' } }, want: 'abstain' },
    { name: 'back from npm', given: { input: { command: 'npm unpublish left-pad@1.0.0' } }, want: 'deny' },
    { name: 'who a gem belongs to', given: { input: { command: 'gem owner rake' } }, want: 'abstain' },
    { name: 'a gem for others', given: { input: { command: 'gem owner rake -a me@example.com' } }, want: 'deny' },
    { name: 'who it belongs to', given: { input: { command: 'npm owner ls left-pad' } }, want: 'abstain' },
    { name: 'to RubyGems', given: { input: { command: 'gem push a-1.0.gem' } }, want: 'deny' },
    { name: 'a gem that is built', given: { input: { command: 'gem build a.gemspec' } }, want: 'abstain' },
    {
      name: 'allowed',
      given: { input: { command: 'npm publish' }, params: { publishingManagers: ['npm'] } },
      want: 'abstain',
    },
    { name: 'said', given: { input: { command: 'echo npm publish' } }, want: 'abstain' },
  ],
})

const onlyShows = (word: string | undefined) => word === undefined || /^(?:ls|list|get|status|--list)$/.test(word)
