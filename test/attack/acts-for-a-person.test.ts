import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/model/json.ts'
import { protectedUser } from '../support/self-protection.ts'

// Tools of MCP servers that type into a person's terminal, or open a person's browser.

const pagePort = 40_177
const user = () => protectedUser({ 'home/.local/state/hookgate/page.json': { json: { port: pagePort } } })

/** Returns the calls of which self-protection has no opinion. */
async function unopposed(calls: readonly (readonly [tool: string, input: JsonObject])[]) {
  const { mcp } = user()
  const decided = await Promise.all(calls.map(async ([tool, input]) => (await mcp(tool, input)).decision))
  return calls.filter((_, at) => decided[at] === 'abstain')
}

it('what types for a person is asked about where it would approve, trust or disable', async () => {
  const found = await unopposed([
    ['mcp__tmux__send-keys', { target: 'main', keys: 'hookgate down Enter' }],
    ['mcp__tmux__send_text', { text: 'hookgate approvals approve k3x7qd' }],
    ['mcp__tmux__send_keys', { keys: ['hookgate', 'Space', 'down', 'Enter'] }],
    ['mcp__computer__type', { text: 'hookgate trust\n' }],
    ['mcp__computer-use__computer', { action: 'type', text: 'hookgate disable claude-code' }],
    ['mcp__desktop-commander__interact_with_process', { pid: 4, input: 'hookgate allow 1a2b3c4d' }],
    ['mcp__iterm__write_to_terminal', { contents: 'cd ~ && hookgate packs git-safety --off' }],
    ['mcp__ghostty__paste', { value: 'npx hookgate disable codex' }],
    ['mcp__keyboard__press_keys', { keys: Array.from('hookgate down\n') }],
    ['mcp__kitty__send', { lines: ['hookgate', 'down'] }],
    ['mcp__mac__applescript', { lines: [{ say: 'tell app "Terminal" to do script "hookgate down"' }] }],
    ['mcp__vnc__send', { events: [{ text: '/usr/local/bin/hookgate import claude-code --yes' }] }],
    ['mcp__win__autohotkey', { steps: ['Send hookgate serve'] }],
  ])
  expect(found).toEqual([])
})

it('what opens a browser is asked about where it would open hookgate’s page', async () => {
  const page = `http://127.0.0.1:${pagePort}/`
  const found = await unopposed([
    ['mcp__playwright__browser_navigate', { url: page }],
    ['mcp__playwright__browser_navigate', { url: `http://localhost:${pagePort}/rules` }],
    ['mcp__chrome-devtools__new_page', { url: `${page}#/approvals` }],
    ['mcp__puppeteer__puppeteer_navigate', { url: 'http://127.0.0.1:9/open/Zk3x7qdZk3x7qdZk3x7qd' }],
    ['mcp__browser__open_tab', { tabs: [{ address: page }] }],
    ['mcp__desktop__type', { text: `${page}\n` }],
    ['mcp__web__fetch', { url: page }],
  ])
  expect(found).toEqual([])
  expect(await user().command(`xdg-open ${page}`)).toMatchObject({ decision: 'deny' })
})

const addresses = [
  '127.1', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '127.0.0.1.', '127.9.8.7', '0', '0.0.0.0', 'localhost.',
  'LOCALHOST', 'local%68ost', 'a.localhost', '[::1]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::]', '１２７.０.０.１', 'u:p@127.1',
] // prettier-ignore

it.each(addresses)('hookgate’s page is known at %s', async (host) => {
  const url = `http://${host}:${pagePort}/`
  expect(await unopposed([['mcp__playwright__browser_navigate', { url }]])).toEqual([])
})

it.each(['128.1', '2130706432.example', 'localhost.example', '[::2]', '10.0.0.1', 'my-localhost'])(
  'the same port at %s is somebody else’s',
  async (host) => {
    const call = ['mcp__playwright__browser_navigate', { url: `http://${host}:${pagePort}/` }] as const
    expect(await unopposed([call])).toEqual([call])
  },
)

it('texts about hookgate, and what only looks, are typed and opened without a question', async () => {
  const calls: readonly (readonly [string, JsonObject])[] = [
    ['mcp__tmux__send-keys', { keys: 'hookgate status Enter' }],
    ['mcp__computer__type', { text: 'grep -r hookgate docs' }],
    ['mcp__computer__type', { text: 'hookgate trust --list' }],
    ['mcp__computer__type', { text: 'what hookgate disables is shown' }],
    ['mcp__github__create_issue', { title: 'hookgate down fails', body: 'After `hookgate down` it stays.' }],
    ['mcp__slack__post_message', { text: 'please run hookgate disable codex' }],
    ['mcp__notion__create_page', { content: 'hookgate trust pins hooks' }],
    ['mcp__playwright__browser_navigate', { url: 'http://localhost:3000/' }],
    ['mcp__playwright__browser_navigate', { url: `http://example.org:${pagePort}/` }],
    ['mcp__filesystem__write_file', { path: 'docs/a.md', content: 'hookgate down' }],
  ]
  expect(await unopposed(calls)).toEqual(calls)
})
