import { describe, expect, it } from 'vitest'
import { impactsIn } from '../../../src/facts/impacts/read-impacts.ts'
import { factsOf } from '../../support/shell-facts.ts'

// The law: a client does the same to others through whatever program it is started.

/** A call of each kind of client: by its words, with a request, with a statement, with a file. */
const clients = [
  'gh repo delete acme/app --yes',
  'gh api -X DELETE repos/acme/app',
  'gh secret set K -R acme/app --body x',
  'glab repo delete acme/app',
  'aws s3 rb s3://x --force',
  'gcloud projects delete p',
  'az group delete -n x -y',
  'kubectl delete ns prod',
  'helm uninstall x -n prod',
  'terraform destroy -auto-approve',
  'vercel remove x --yes',
  'wrangler delete w',
  'firebase projects:delete p',
  'supabase db reset --linked',
  'prisma migrate reset --force',
  'netlify sites:delete s',
  'flyctl apps destroy x',
  'heroku apps:destroy x',
  'psql -d app -c "DROP TABLE users"',
  'redis-cli -h db FLUSHALL',
  'stripe customers delete cus_1',
  'pulumi destroy -y',
  'sentry-cli releases delete v1',
  'mongosh --eval "db.dropDatabase()"',
  'curl -X DELETE https://api.github.com/repos/acme/app',
  'git push --force origin main',
  'alembic downgrade base',
  'sequelize db:drop',
  'sanity dataset delete production',
]

/** Programs that start what stands behind them. */
const before = `
  yarn
  yarn run
  yarn exec
  yarn dlx
  yarn workspace api
  yarn workspaces foreach -A exec
  npx
  npx -y
  npx -p pkg
  npx --no-install
  npm exec
  npm exec --
  npm x --
  corepack yarn
  pnpm
  pnpm exec
  pnpm dlx
  pnpx
  pnpm --filter api exec
  pnpm -r exec
  nlx
  vlx
  bun
  bunx
  bunx --bun
  bun x
  bun run
  lerna exec --
  nx exec --
  turbo exec
  mise exec --
  mise x --
  mise x tool@latest --
  rtx exec --
  asdf exec
  aqua exec --
  pkgx
  nix shell nixpkgs#gh -c
  nix develop --command
  guix shell gh --
  devbox run --
  flox activate --
  pipx run
  pipx run --spec pkg
  uvx
  uvx --from pkg
  uv tool run
  uv run
  uv run --with x --
  poetry run
  pipenv run
  pdm run
  hatch run
  rye run
  pixi run
  conda run -n x
  micromamba run -n x
  direnv exec .
  dotenvx run --
  doppler run --
  op run --
  aws-vault exec p --
  infisical run --
  bundle exec
  composer exec
  stack exec --
  opam exec --
  proto run
  volta run
  fnm exec --using 20
  go tool
  dotnet tool run
  snap run
  toolbox run
  foreman run
  xvfb-run -a
  rtk
  rtk proxy`
  .trim()
  .split(/\n\s*/)

/** Programs that start a package by a name that is not only the client's. */
const named: readonly (readonly [name: string, start: (client: string, rest: string) => string])[] = [
  ['npx CLIENT@latest', (client, rest) => `npx ${client}@latest ${rest}`],
  ['npm exec CLIENT --', (client, rest) => `npm exec ${client} -- ${rest}`],
  ['pnpm dlx CLIENT@1.2.3', (client, rest) => `pnpm dlx ${client}@1.2.3 ${rest}`],
  ['bunx CLIENT@latest', (client, rest) => `bunx ${client}@latest ${rest}`],
  ['uvx CLIENT==1.0', (client, rest) => `uvx ${client}==1.0 ${rest}`],
  ['pkgx CLIENT@2', (client, rest) => `pkgx ${client}@2 ${rest}`],
  ['proto run CLIENT --', (client, rest) => `proto run ${client} -- ${rest}`],
  ['composer exec CLIENT --', (client, rest) => `composer exec ${client} -- ${rest}`],
  ['nix run nixpkgs#CLIENT --', (client, rest) => `nix run nixpkgs#${client} -- ${rest}`],
  [
    'nix run behind its own options',
    (client, rest) =>
      `nix --extra-experimental-features 'nix-command flakes' run --impure github:NixOS/nixpkgs#${client} -- ${rest}`,
  ],
  ['deno run npm:CLIENT', (client, rest) => `deno run -A npm:${client} ${rest}`],
  ['deno x npm:CLIENT@1', (client, rest) => `deno x npm:${client}@1 ${rest}`],
  ['go run of a module', (client, rest) => `go run example.com/x/cmd/${client}/v2@latest ${rest}`],
  ['docker run of an image that is named so', (client, rest) => `docker run --rm -v $PWD:/w acme/${client}:1 ${rest}`],
  ['docker compose run of a service that is named so', (client, rest) => `docker compose run --rm ${client} ${rest}`],
]

/** Programs that have a shell read what stands behind them in quotes. */
const quoting = [
  'yarn exec',
  'npx -c',
  'npm exec -c',
  'nix-shell -p gh --run',
  'devbox run',
  'flox activate -c',
  'mise x -c',
]

/** What a call does, without where it stands in the text and where it runs, and without the package that is fetched. */
const doneBy = (text: string): readonly string[] =>
  impactsIn(factsOf(text))
    .filter(({ kind, thing }) => !(kind === 'run' && thing === 'package') && kind !== 'install')
    .map((impact) => JSON.stringify({ ...impact, by: undefined, elsewhere: undefined }))

const doneByItself = new Map(clients.map((client) => [client, doneBy(client)]))

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

const launched = [
  ...before.map((launcher) => [launcher, (client: string) => `${launcher} ${client}`] as const),
  ...quoting.map((launcher) => [`${launcher} '…'`, (client: string) => `${launcher} ${quoted(client)}`] as const),
  ...named.map(
    ([name, start]) =>
      [
        name,
        (client: string) => start(client.slice(0, client.indexOf(' ')), client.slice(client.indexOf(' ') + 1)),
      ] as const,
  ),
]

describe('a client does the same', () => {
  it.each(launched)('through %s', (_, start) => {
    const different = clients.filter((client) => {
      const done = new Set(doneBy(start(client)))
      return doneByItself.get(client)?.some((impact) => !done.has(impact))
    })
    expect(different).toEqual([])
  })

  it('of which each call is known to do something', () => {
    expect(clients.filter((client) => doneByItself.get(client)?.length === 0)).toEqual([])
  })
})

describe('a word is no program where it is a command or a script of the launcher', () => {
  it.each([
    'yarn install left-pad',
    'yarn link',
    'yarn test --watch',
    'yarn format',
    'pnpm env use 20',
    'pnpm patch left-pad',
    'bun install',
    'bun test',
    'yarn up left-pad',
    'nats pub orders.purge hello',
  ])('%s', (text) => {
    expect(factsOf(text).commands).toHaveLength(1)
  })
})
