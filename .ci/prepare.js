// npm runs this after it has installed the dependencies, and when `npx hookgate` links this folder for the first time.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const { npm_command: command, npm_config_user_agent: agent = '' } = process.env
const isBuilt = existsSync('dist/cli/bin.js')
const [, version = '24', major = '24'] = /node\/v((\d+)\.\S+)/.exec(agent) ?? []

if (command !== 'exec' || !isBuilt) {
  if (Number(major) < 24) {
    console.log(`This machine's Node is ${version}: npm scripts and \`hookgate\` run on the Node 24 in node_modules.`)
  }
  process.exitCode = spawnSync('npm run --silent build', { shell: true, stdio: 'inherit' }).status ?? 1
}
