import { ask, definePolicy } from 'hookgate/policy'
import { knownTools } from './known-tools.ts'
import { packageCallOf } from './managers.ts'
import { isAllowed, isPinned, packagesOf } from './packages.ts'

export default definePolicy({
  id: 'fetched-tools',
  description: "Asks before a tool is fetched and run in one go, in today's latest version: `npx`, `uvx`, `bunx`",
  severity: 'medium',
  on: 'PreToolUse',
  tool: 'shell',
  params: {
    allowedTools: {
      type: 'strings',
      default: knownTools,
      description: 'tools that may be run in any version, because projects have them; `*` at the end matches anything',
    },
    allowPinned: {
      type: 'boolean',
      default: true,
      description: 'whether any tool may be run if its version is named',
    },
  },
  decide({ shell, params }) {
    for (const [at, command] of shell.commands.entries()) {
      const call = packageCallOf(command)
      if (call?.act !== 'run' || call.options.has('no-install', 'no')) continue
      const fresh = packagesOf(call).find(
        (one) =>
          one.from === undefined &&
          !(params.allowPinned && isPinned(one)) &&
          !isAllowed(one, params.allowedTools) &&
          one.text !== '' &&
          one.text !== '.',
      )
      if (fresh === undefined) continue
      return ask(
        `${call.manager} would fetch ${fresh.text} and run it, in today's latest version: add it to the project first, or name a version`,
        { at },
      )
    }
    return undefined
  },
  examples: [
    { name: 'of npm', given: { input: { command: 'npx cowsay hi' } }, want: { effect: 'ask', reason: 'cowsay' } },
    { name: 'that projects have', given: { input: { command: 'npx tsc --noEmit' } }, want: 'abstain' },
    { name: 'with options of its own', given: { input: { command: 'npx tsc -p tsconfig.json' } }, want: 'abstain' },
    { name: 'from a package of npm', given: { input: { command: 'npx -p cowsay tsc' } }, want: 'ask' },
    { name: 'the newest', given: { input: { command: 'npx -y create-thing@latest' } }, want: 'ask' },
    { name: 'in a version', given: { input: { command: 'npx -y create-thing@1.2.3' } }, want: 'abstain' },
    { name: 'of pnpm', given: { input: { command: 'pnpm dlx cowsay' } }, want: 'ask' },
    { name: 'a script', given: { input: { command: 'pnpm run cowsay' } }, want: 'abstain' },
    { name: 'of Python', given: { input: { command: 'uvx cowsay' } }, want: 'ask' },
    { name: 'of Python, that projects have', given: { input: { command: 'uvx ruff check' } }, want: 'abstain' },
    { name: 'from a package', given: { input: { command: 'uvx --from cowsay tsc' } }, want: 'ask' },
    { name: 'of Go', given: { input: { command: 'go run a.example/tool@latest -v' } }, want: 'ask' },
    { name: 'of Go, in a version', given: { input: { command: 'go run a.example/tool@v1.2.3' } }, want: 'abstain' },
    { name: 'the project', given: { input: { command: 'go run ./cmd/server --to a@b.example' } }, want: 'abstain' },
    { name: 'of Deno', given: { input: { command: 'deno run -A npm:cowsay' } }, want: 'ask' },
    { name: 'a file of Deno', given: { input: { command: 'deno run -A main.ts' } }, want: 'abstain' },
    { name: 'of Nix, collected', given: { input: { command: 'nix run nixpkgs#hello' } }, want: 'abstain' },
    { name: 'only if it is there', given: { input: { command: 'npx --no-install cowsay' } }, want: 'abstain' },
    {
      name: 'in a version, where that is not enough',
      given: { input: { command: 'npx cowsay@1.2.3' }, params: { allowPinned: false } },
      want: 'ask',
    },
    {
      name: 'allowed',
      given: { input: { command: 'npx @corp/tool' }, params: { allowedTools: ['@corp/*'] } },
      want: 'abstain',
    },
  ],
})
