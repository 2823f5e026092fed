import { ask, definePolicy, deny } from 'hookgate/policy'
import { deletionsIn, temporaryFolders } from './deletions.ts'

/** What package managers, builds and browsers for tests fetch or make again when it is gone. */
const caches: readonly string[] = [
  '.npm/_cacache', '.npm/_npx', '.gradle/caches', '.gradle/daemon', '.cargo/registry', '.cargo/git', '.bun/install/cache',
  '.yarn/cache', '.pnpm-store', '.nuget/packages', '.ivy2/cache', '.sbt/boot', '.terraform.d/plugin-cache', 'go/pkg/mod',
  '.cache/pip', '.cache/uv', '.cache/pypoetry', '.cache/yarn', '.cache/pnpm', '.cache/node', '.cache/deno', '.cache/go-build',
  '.cache/golangci-lint', '.cache/pre-commit', '.cache/ms-playwright', '.cache/Cypress', '.cache/puppeteer', '.cache/bazel',
  '.cache/electron', '.cache/ccache', '.cache/sccache', '.cache/mypy', '.cache/ruff', '.cache/composer', '.cache/typescript',
  '.cache/turbo', '.cache/coursier', '.cache/nix', '.cache/bundler',
  'Library/Caches/pip', 'Library/Caches/Yarn', 'Library/Caches/CocoaPods', 'Library/Caches/Homebrew', 'Library/Caches/go-build',
  'Library/Caches/ms-playwright', 'Library/Caches/Cypress', 'Library/Caches/pnpm', 'Library/Caches/deno', 'Library/Caches/pypoetry',
  'Library/Caches/org.swift.swiftpm', 'Library/Caches/golangci-lint', 'Library/Developer/Xcode/DerivedData',
] // prettier-ignore

export default definePolicy({
  id: 'home-deletion',
  severity: 'critical',
  description: "Refuses to delete anybody's home directory and the folders in it; asks about what lies deeper",
  on: 'PreToolUse',
  tool: 'shell',
  params: {
    temporaryFolders,
    homeFolders: {
      type: 'strings',
      default: caches,
      description: 'folders of the home directory that may go, relative to it',
    },
  },
  decide({ event, shell, params }) {
    const isAllowed = (inHome = '') => params.homeFolders.some((one) => inHome === one || inHome.startsWith(`${one}/`))
    const deletions = deletionsIn(shell, event, params.temporaryFolders).filter(
      ({ path, recursive }) => recursive && !isAllowed(path.inHome),
    )
    const home = deletions.find(({ place, certain }) => (place === 'home' || place === 'own') && certain)
    if (home !== undefined) {
      return deny(
        `${home.command.program} would delete ${home.named} in a home directory, with all that is in it: ` +
          'delete only what this task has made, by its full path',
        { at: home.at },
      )
    }
    const found = deletions.find(({ place }) => place === 'home' || place === 'own' || place === 'private')
    if (found === undefined) return undefined
    return ask(
      `${found.command.program} would delete ${found.named}, which is outside of the workspace: ` +
        'let the person do it, or work inside of the workspace',
      { at: found.at },
    )
  },
  examples: [
    { name: 'the home directory', given: { input: { command: 'rm -rf ~' } }, want: 'deny' },
    { name: 'a file called like it', given: { input: { command: "rm -rf './~'" } }, want: 'abstain' },
    { name: 'all in it', given: { input: { command: 'rm -rf "$HOME"/*' } }, want: 'deny' },
    { name: 'as text', given: { input: { command: "git commit -m 'never rm -rf $HOME'" } }, want: 'abstain' },
    { name: 'from within', given: { input: { command: 'cd && rm -rf .' } }, want: 'deny' },
    { name: 'a listing from within', given: { input: { command: 'cd && ls' } }, want: 'abstain' },
    { name: "somebody else's", given: { input: { command: 'sudo rm -r /home/other' } }, want: 'deny' },
    { name: 'a folder in it', given: { input: { command: 'rm -rf ~/Documents' } }, want: 'deny' },
    { name: 'settings', given: { input: { command: 'rm -rf ~/.config' } }, want: 'deny' },
    { name: 'deeper', given: { input: { command: 'rm -rf ~/Downloads/old' } }, want: 'ask' },
    {
      name: 'deeper, where it is allowed',
      given: { input: { command: 'rm -rf ~/Downloads/old' }, params: { homeFolders: ['Downloads'] } },
      want: 'abstain',
    },
    { name: 'what a manager fetches again', given: { input: { command: 'rm -rf ~/.npm/_cacache' } }, want: 'abstain' },
    { name: 'what a manager is set up with', given: { input: { command: 'rm -rf ~/.npm' } }, want: 'ask' },
    { name: 'all of what is fetched again', given: { input: { command: 'rm -rf ~/.cache' } }, want: 'ask' },
    { name: 'one file', given: { input: { command: 'rm ~/Downloads/old.zip' } }, want: 'abstain' },
    { name: 'the workspace is in it', given: { input: { command: 'rm -rf ~/proj/build' } }, want: 'abstain' },
  ],
})
