import { afterAll, describe, expect, it } from 'vitest'
import { openShippedGate } from '../support/shipped-gate.ts'

const gate = openShippedGate('/home/u')
afterAll(() => gate.close())

/** By rule: a command, and other ways to write what it does. */
const same: Readonly<Record<string, readonly string[]>> = {
  'new-packages': [
    'npm install left-pad',
    'npm install --save left-pad',
    'npm --prefix web install left-pad',
    'npm add -- left-pad',
    'corepack pnpm add left-pad',
    'corepack yarn@4.1.0 add left-pad',
    'python3.12 -m pdm add requests',
    'cargo +nightly add serde',
    'uv --directory api pip install requests',
    'code --install-extension someone.tool',
  ],
  registries: [
    'pip install --index-url https://a.example/simple b',
    'pip install --index-u https://a.example/simple b',
    'pip --isolated install b --extra-index=https://a.example/simple',
    'pip install -ihttps://a.example/simple b',
    'uv pip install -i https://a.example/simple b',
    'npm --registry https://a.example install b',
    'npm install b --reg https://a.example',
    'npm config set //a.example=x registry https://a.example',
  ],
  'global-installs': [
    'npm install -g left-pad',
    'npm -g install left-pad',
    'npm i --location=global left-pad',
    'yarn --silent global add left-pad',
    'pip install --break-system left-pad',
  ],
  'fetched-tools': [
    'npx cowsay hi',
    'npm exec -- cowsay hi',
    'npm --yes exec cowsay',
    'pnpm dlx cowsay',
    'uv tool run cowsay',
  ],
  'weakened-checks': [
    'export GOSUMDB=off',
    'declare -x GOSUMDB=off',
    'git -c http.sslVerify=false fetch',
    'gem install rake --trust-policy=NoSecurity',
    'gem install -P NoSecurity rake',
    'pip install --trusted-h a.example b',
  ],
  publishing: ['npm publish', 'npm publis', 'yarn npm publish', 'python -m hatch publish', 'cargo +stable publish'],
}
describe.each(Object.entries(same))('%s', (rule, commands) => {
  it.each(commands)('stops `%s`', async (command) => {
    const { denied, asked } = await gate.judge(command)
    expect([...denied, ...asked]).toContain(rule)
  })
})

/** What looks like one of these, and is none. */
const harmless: readonly string[] = [
  'npm run install left-pad',
  'npm install --save-prefix=~',
  'npm test -- --global',
  'cargo run -- publish',
  'corepack enable',
  'python3.12 -m pdm run lint',
  'npx tsc -p tsconfig.json',
  'docker run --rm -v "$PWD:/w" node:24 npm ci',
  'git -c http.sslVerify=true fetch',
  'pip download --help',
  'npm config get registry',
  'conda list',
]
it.each(harmless)('no rule on packages stops `%s`', async (command) => {
  const rules = new Set([...Object.keys(same), 'package-origins', 'package-sources', 'system-packages'])
  const { denied, asked } = await gate.judge(command)
  expect([...denied, ...asked].filter((id) => rules.has(id))).toEqual([])
})
