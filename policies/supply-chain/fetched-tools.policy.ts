import { abstains, ask, asks, definePolicy, quoted } from 'hookgate/policy'
import { impactsOn, isAllowed, isPinned, packagesOf } from './packages.ts'

/** Tools that projects have among their own packages, so that `npx` and the like fetch nothing. */
const knownTools: readonly string[] = `
  tsc tsx ts-node eslint prettier jest vitest mocha c8 nyc playwright cypress ava tap
  vite webpack rollup esbuild parcel swc next nuxt astro ng nx turbo lerna changeset gulp grunt
  prisma drizzle-kit knex typeorm sequelize tailwindcss postcss sass stylelint oxlint oxfmt biome @biomejs/biome
  husky lint-staged commitlint knip madge depcheck tsup tsd typedoc storybook cdk wrangler expo react-native
  serverless sls firebase openapi-typescript openapi-generator-cli graphql-codegen electron-builder cap ionic
  svelte-check vue-tsc markdownlint cspell rimraf concurrently nodemon pm2 serve http-server
  ruff black mypy pytest pyright isort flake8 pylint tox nox pre-commit
`
  .trim()
  .split(/\s+/)

export default definePolicy({
  id: 'fetched-tools',
  description: "Asks before a tool is fetched and run in one go, in today's latest version: `npx`, `uvx`, `bunx`",
  severity: 'medium',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['packages'] },
  params: {
    allowedTools: {
      type: 'strings',
      default: knownTools,
      description: 'tools that may be run in any version, because projects have them; `*` is any text',
    },
    allowPinned: {
      type: 'boolean',
      default: true,
      description: 'whether any tool may be run if its version is named',
    },
  },
  decide({ impacts, params }) {
    for (const impact of impactsOn(impacts, 'packages', 'run')) {
      const fresh = packagesOf(impact).find(
        (one) =>
          one.from === undefined &&
          !(params.allowPinned && isPinned(one)) &&
          !isAllowed(one, params.allowedTools) &&
          one.text !== '.',
      )
      if (fresh === undefined) continue
      return ask(
        `\`${impact.words}\` would fetch ${quoted(fresh.text)} and run it${isPinned(fresh) ? '' : ', in whatever version is newest'}: add it to the project first`,
        { at: impact.by },
      )
    }
    return undefined
  },
  examples: [
    { name: 'of npm', given: { input: { command: 'npx cowsay hi' } }, want: { effect: 'ask', reason: 'cowsay' } },
    abstains('that projects have', 'npx tsc --noEmit'),
    abstains('with options of its own', 'npx tsc -p tsconfig.json'),
    asks('from a package of npm', 'npx -p cowsay tsc'),
    asks('the newest', 'npx -y create-thing@latest'),
    abstains('in a version', 'npx -y create-thing@1.2.3'),
    asks('of pnpm', 'pnpm dlx cowsay'),
    abstains('a script', 'pnpm run cowsay'),
    asks('of Python', 'uvx cowsay'),
    abstains('of Python, that projects have', 'uvx ruff check'),
    asks('from a package', 'uvx --from cowsay tsc'),
    asks('of Go', 'go run a.example/tool@latest -v'),
    abstains('of Go, in a version', 'go run a.example/tool@v1.2.3'),
    abstains('the project', 'go run ./cmd/server --to a@b.example'),
    asks('of Deno', 'deno run -A npm:cowsay'),
    abstains('a file of Deno', 'deno run -A main.ts'),
    abstains('of Nix, collected', 'nix run nixpkgs#hello'),
    abstains('only if it is there', 'npx --no-install cowsay'),
    asks('in a version, where that is not enough', 'npx cowsay@1.2.3', { params: { allowPinned: false } }),
    abstains('allowed', 'npx @corp/tool', { params: { allowedTools: ['@corp/*'] } }),
  ],
})
