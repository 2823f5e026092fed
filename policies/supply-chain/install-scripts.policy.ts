import { abstains, ask, asks, definePolicy, quoted } from 'hookgate/policy'

/** Scripts that run without a question on every machine that installs the package. */
const hooks = () => /"(pre|post)?(install|prepare|uninstall)"\s*:\s*"([^"]*)"/g

export default definePolicy({
  id: 'install-scripts',
  description: 'Asks before a package gets a script that runs wherever it is installed',
  severity: 'medium',
  on: 'PreToolUse',
  tool: ['write', 'edit'],
  params: {
    allowedScripts: {
      type: 'strings',
      default: [
        'husky',
        'husky install',
        'lefthook install',
        'npm run build',
        'simple-git-hooks',
        'patch-package',
        'prisma generate',
      ],
      description: 'what such scripts may do',
    },
  },
  decide({ tool, params }) {
    if (!/(?:^|[/\\])package\.json$/i.test(tool.path ?? '')) return undefined
    for (const [, when = '', what = '', script = ''] of (tool.content ?? '').matchAll(hooks())) {
      if (params.allowedScripts.includes(script)) continue
      return ask(
        `\`${when}${what}\` would run ${quoted(script)} wherever this is installed: give the script a name that nothing calls by itself`,
      )
    }
    return undefined
  },
  examples: [
    {
      name: 'after an installation',
      given: { tool: 'write', input: { path: 'package.json', content: '{"scripts":{"postinstall":"node a.js"}}' } },
      want: { effect: 'ask', reason: '`postinstall` would run `node a.js`' },
    },
    abstains('when it is called', {
      tool: 'write',
      input: { path: 'package.json', content: '{"scripts":{"build":"node a.js"}}' },
    }),
    asks('before one', { tool: 'edit', input: { path: 'a/package.json', content: '"preinstall": "sh x"' } }),
    abstains('in another file', { tool: 'edit', input: { path: 'a/notes.json', content: '"preinstall": "sh x"' } }),
    abstains('one of the usual', { tool: 'edit', input: { path: 'package.json', content: '"prepare": "husky"' } }),
    asks('one of the usual, and more', {
      tool: 'edit',
      input: { path: 'package.json', content: '"prepare": "husky && sh x"' },
    }),
    abstains('allowed', {
      tool: 'edit',
      input: { path: 'package.json', content: '"postinstall": "node-gyp rebuild"' },
      params: { allowedScripts: ['node-gyp rebuild'] },
    }),
    abstains('no content', { tool: 'edit', input: { path: 'package.json' } }),
  ],
})
