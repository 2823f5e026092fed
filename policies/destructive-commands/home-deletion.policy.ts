import { ask, definePolicy, deny } from 'hookgate/policy'
import { deletionsIn, temporaryFolders } from './deletions.ts'

/** What package managers, builds and browsers for tests fetch or make again when it is gone. */
const caches: readonly string[] = [
  '.npm/_cacache', '.npm/_npx', '.gradle/caches', '.gradle/daemon', '.m2/repository', '.cargo/registry', '.cargo/git', '.bun/install/cache',
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
  description: 'Refuses to delete any home directory and the folders in it; asks about deeper ones',
  on: 'PreToolUse',
  tool: 'shell',
  params: {
    temporaryFolders,
    homeFolders: {
      type: 'strings',
      default: caches,
      description: 'folders of the home directory that may be deleted, relative to it',
    },
  },
  decide({ event, shell, params }) {
    const isAllowed = (inHome = '') => params.homeFolders.some((one) => inHome === one || inHome.startsWith(`${one}/`))
    const deletions = deletionsIn(shell, event, params.temporaryFolders).filter(
      ({ path, recursive, every }) => (recursive || every) && !isAllowed(path.inHome),
    )
    const home = deletions.find(
      ({ place, certain, handed }) => (place === 'home' || place === 'own') && certain && !handed,
    )
    if (home !== undefined) {
      return deny(
        `${home.command.program} would delete ${home.named} in a home directory, ${home.recursive ? 'with everything in it' : 'every file of a folder'}: ` +
          'delete only what this task created, by its full path',
        { at: home.at },
      )
    }
    const found = deletions.find(({ place }) => place === 'home' || place === 'own' || place === 'private')
    if (found === undefined) return undefined
    return ask(
      `${found.command.program} would delete ${found.named}, which is outside the workspace: ` +
        'let the person do it, or work inside the workspace',
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
    { name: 'a part of it', given: { input: { command: 'rm -rf ~/.m2/repository/com/acme' } }, want: 'abstain' },
    { name: 'and what it is set to', given: { input: { command: 'rm -rf ~/.m2' } }, want: 'ask' },
    { name: 'what a manager is set up with', given: { input: { command: 'rm -rf ~/.npm' } }, want: 'ask' },
    { name: 'all of what is fetched again', given: { input: { command: 'rm -rf ~/.cache' } }, want: 'ask' },
    {
      name: 'a home among temporary files',
      given: { input: { command: 'rm -rf ~' }, home: '/tmp/agent' },
      want: 'deny',
    },
    {
      name: 'all in a home among temporary files',
      given: { input: { command: 'rm -rf "$HOME"/*' }, home: '/var/tmp/agent' },
      want: 'deny',
    },
    {
      name: 'what is found in a home among temporary files',
      given: { input: { command: 'find ~ -delete' }, home: '/tmp/agent' },
      want: 'deny',
    },
    {
      name: 'a folder in a home among temporary files',
      given: { input: { command: 'rm -rf ~/Documents' }, home: '/tmp/agent' },
      want: 'deny',
    },
    {
      name: 'temporary files beside the home',
      given: { input: { command: 'rm -rf /tmp/build /tmp/agents' }, home: '/tmp/agent' },
      want: 'abstain',
    },
    {
      name: 'a home that is the folder for temporary files',
      given: { input: { command: 'rm -rf ~/*' }, home: '/tmp' },
      want: 'deny',
    },
    {
      name: 'keys in a home that is the folder for temporary files',
      given: { input: { command: 'rm -rf /tmp/.s*' }, home: '/tmp' },
      want: 'deny',
    },
    {
      name: 'a build in a home that is the folder for temporary files',
      given: { input: { command: 'rm -rf /tmp/build /tmp/out-*' }, home: '/tmp' },
      want: 'abstain',
    },
    {
      name: 'what may be emptied within the home',
      given: { input: { command: 'rm -rf ~/scratch/*' }, params: { temporaryFolders: ['/home/u/scratch'] } },
      want: 'abstain',
    },
    {
      name: 'a home that is all there is',
      given: { input: { command: 'rm -rf /tmp/build' }, home: '/' },
      want: 'abstain',
    },
    { name: 'every file of a folder', given: { input: { command: 'rm ~/Documents/*' } }, want: 'deny' },
    { name: 'some files of a folder', given: { input: { command: 'rm ~/Documents/*.bak' } }, want: 'abstain' },
    {
      name: 'one by one',
      given: { input: { command: 'for f in ~/Documents/*; do rm -f "$f"; done' } },
      want: 'deny',
    },
    { name: 'every file deeper', given: { input: { command: 'rm ~/Downloads/old/*' } }, want: 'ask' },
    {
      name: 'what is found, by xargs',
      given: { input: { command: 'find ~/Documents -type f | xargs rm -f' } },
      want: 'ask',
    },
    {
      name: 'what is found by a name, by xargs',
      given: { input: { command: 'find ~/Documents -name "*.bak" | xargs rm -f' } },
      want: 'abstain',
    },
    { name: 'one file', given: { input: { command: 'rm ~/Downloads/old.zip' } }, want: 'abstain' },
    { name: 'the workspace is in it', given: { input: { command: 'rm -rf ~/proj/build' } }, want: 'abstain' },
  ],
})
