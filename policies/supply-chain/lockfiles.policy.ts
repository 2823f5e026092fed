import { abstains, ask, asks, definePolicy, quoted } from 'hookgate/policy'

const lockfile =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|poetry\.lock|pdm\.lock|uv\.lock|pipfile\.lock|cargo\.lock|gemfile\.lock|composer\.lock|go\.sum|mix\.lock|pubspec\.lock|podfile\.lock|package\.resolved|packages\.lock\.json|gradle\.lockfile|flake\.lock|\.terraform\.lock\.hcl|chart\.lock)$/i

export default definePolicy({
  id: 'lockfiles',
  description: 'Asks before a lockfile is edited by hand or deleted: it pins the right packages',
  severity: 'medium',
  on: 'PreToolUse',
  tool: ['shell', 'write', 'edit'],
  interest: { access: ['write', 'delete'] },
  params: {
    lockfilesByHand: {
      type: 'strings',
      default: [],
      description: 'lockfiles that may be written, by the end of their path',
    },
    allowLockfileDeletion: {
      type: 'boolean',
      default: false,
      description: 'whether they may be deleted in order to be recreated',
    },
  },
  decide({ tool, shell, paths, params }) {
    const touched =
      tool.kind === 'shell'
        ? shell.commands.flatMap((command, at) =>
            command.copies === true ? [] : command.paths.map((path) => ({ path, at })),
          )
        : paths.map((path) => ({ path, at: undefined }))
    const one = touched.find(
      ({ path: { access, written, absolute, metadata, pattern } }) =>
        (access === 'write' || (access === 'delete' && !params.allowLockfileDeletion)) &&
        metadata !== true &&
        pattern === undefined &&
        lockfile.test(absolute ?? written) &&
        !params.lockfilesByHand.some((end) => (absolute ?? written).endsWith(end)),
    )
    if (one === undefined) return undefined
    const { path: found, at } = one
    return found.access === 'delete'
      ? ask(
          `without ${quoted(found.written)} every package may change its version: let the package manager update it instead`,
          { at },
        )
      : ask(
          `this would write ${quoted(found.written)}, which the package manager writes: change what the project asks for`,
          { at },
        )
  },
  examples: [
    asks('edited', { tool: 'edit', input: { path: 'package-lock.json' } }),
    abstains('what it is made of', { tool: 'edit', input: { path: 'package.json' } }),
    asks('written', 'echo "{}" > web/package-lock.json'),
    abstains('read', 'cat web/package-lock.json'),
    asks('in place', "sed -i 's/a/b/' yarn.lock"),
    abstains('printed', "sed 's/a/b/' yarn.lock"),
    asks('deleted', 'rm -f pnpm-lock.yaml'),
    abstains('another file', 'rm -f a.lock'),
    abstains('deleted, where that is allowed', 'rm Cargo.lock', { params: { allowLockfileDeletion: true } }),
    abstains('brought back', 'git checkout -- Cargo.lock'),
    abstains('allowed', {
      tool: 'write',
      input: { path: 'test/go.sum', content: '' },
      params: { lockfilesByHand: ['test/go.sum'] },
    }),
    abstains('only printed', 'echo rm Cargo.lock'),
  ],
})
