import { abstains, ask, asks, definePolicy, denies, deny, isLike } from 'hookgate/policy'
import { changesIn, verbOf } from './touched.ts'

export default definePolicy({
  id: 'protected-paths',
  severity: 'high',
  description: 'Refuses to change the files and folders that a team names',
  on: 'PreToolUse',
  tool: ['write', 'edit', 'shell', 'mcp', 'other'],
  interest: { access: ['write', 'delete'] },
  params: {
    paths: {
      type: 'strings',
      default: ['.hookgate'],
      description:
        'what must not be changed: names, or `folder/name`, and everything below them; `*` matches any part of a name',
    },
    except: { type: 'strings', default: [], description: 'names of files that are not protected' },
    effect: { type: 'string', oneOf: ['deny', 'ask'], default: 'deny', description: 'what happens' },
  },
  decide({ shell, paths, params }) {
    const patterns = params.paths.map(namesOf)
    const except = params.except.map((pattern) => pattern.toLowerCase())
    const found = changesIn(shell, paths).find(({ path }) => {
      // Of a path in the workspace only what is below its root counts: that may itself lie in one of them.
      const names = namesOf(path.inRoot ?? path.absolute ?? path.written)
      return patterns.some((parts) => isUnder(names, parts)) && !except.some((one) => isLike(names.at(-1) ?? '', one))
    })
    if (found === undefined) return undefined
    const { at } = found
    const reason = `this would ${verbOf(found)} ${found.named}, which your rules protect: have the person do it`
    return params.effect === 'ask' ? ask(reason, { at }) : deny(reason, { at })
  },
  examples: [
    {
      name: 'a path of their own',
      given: { tool: 'write', input: { path: 'db/migrations/1.sql' }, params: { paths: ['/DB/migrations/'] } },
      want: {
        effect: 'deny',
        reason: 'this would write `db/migrations/1.sql`, which your rules protect: have the person do it',
      },
    },
    denies('what guards the agent', { tool: 'write', input: { path: '.hookgate/hooks.json' } }),
    abstains('anything else', { tool: 'write', input: { path: 'src/a.ts' } }),
    denies('capital letters', { tool: 'edit', input: { path: '.HOOKGATE/a' } }),
    denies('a way around', { tool: 'edit', input: { path: 'src/..//.hookgate/./a' } }),
    abstains('a way out again', { tool: 'edit', input: { path: '.hookgate/../src/a.ts' } }),
    denies('a command', 'cd .hookgate && rm hooks.json', { tool: 'shell' }),
    abstains('a command that reads', 'cat .hookgate/hooks.json', { tool: 'shell' }),
    denies('a name with any text in it', 'sed -i s/a/b/ locks/a.lock', {
      tool: 'shell',
      params: { paths: ['*.lock'] },
    }),
    abstains('an exception', {
      tool: 'edit',
      input: { path: 'infra/README.md' },
      params: { paths: ['infra'], except: ['readme*'] },
    }),
    asks('where `effect` is `ask`', {
      tool: 'edit',
      input: { path: 'infra/a.tf' },
      params: { paths: ['infra'], effect: 'ask' },
    }),
    abstains('a workspace that lies in one', {
      tool: 'write',
      input: { path: 'a' },
      cwd: '/w/.hookgate/x',
      workspaceRoots: ['/w/.hookgate/x'],
    }),
  ],
})

/** The names that a path goes through, in lower case: on many disks `.ENV` is `.env`. */
function namesOf(path: string): readonly string[] {
  const names: string[] = []
  for (const name of path.toLowerCase().split(/[/\\]/)) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return names
}

/**
 * True if a path matches a pattern, or is below one that does, both by name: `.git` is any folder or file of that name, `a/b` any `b` in
 * an `a`, and `*` is any text of a name.
 */
function isUnder(names: readonly string[], parts: readonly string[]): boolean {
  return parts.length > 0 && names.some((_, at) => parts.every((part, index) => isLike(names[at + index] ?? '', part)))
}
