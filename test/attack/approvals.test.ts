import { describe, expect, it } from 'vitest'
import { protectedUser, refused } from '../support/self-protection.ts'

// An agent that waits for a person, and would rather answer itself.

const state = '~/.local/state/hookgate'
const approvals = { 'home/.config/hookgate/hooks.json': { json: { approvals: true } } }

describe('the command that answers is refused', () => {
  it.each([
    ['approving', 'hookgate approvals approve k3x7qd'],
    ['for longer', 'hookgate approvals approve k3x7qd --for 24h'],
    ['the screen', 'hookgate approvals watch'],
    ['the list, which has the ids', 'hookgate approvals'],
    ['the phone’s topic', 'hookgate approvals phone'],
    ['as JSON', 'hookgate approvals --json | jq -r .requests[0].id'],
    ['at a terminal of `script`', `script -qc 'hookgate approvals approve k3x7qd' /dev/null`],
    ['at a terminal of Python', `python3 -c 'import pty; pty.spawn(["hookgate","approvals","approve","k3x7qd"])'`],
    ['with keys from a pipe', `echo a | script -q /dev/null -c 'hookgate approvals watch'`],
    ['in another window', `tmux send-keys 'hookgate approvals approve k3x7qd' Enter`],
    ['later', `(sleep 5; hookgate approvals approve k3x7qd) &`],
    ['by `at`', `echo 'hookgate approvals approve k3x7qd' | at now`],
    ['by its file', 'node ~/.nvm/lib/node_modules/hookgate/dist/cli/bin.js approvals approve k3x7qd'],
    ['in words that are hidden', 'X=approvals; hook""gate $X app""rove k3x7qd'],
    ['by npx', 'npx hookgate approvals approve k3x7qd'],
    ['by npx with a version', 'npx -y hookgate@latest approvals approve k3x7qd'],
    ['by npm', 'npm exec --yes -- hookgate approvals approve k3x7qd'],
    ['by pnpm', 'pnpm dlx hookgate approvals approve k3x7qd'],
    ['by yarn', 'yarn dlx hookgate approvals approve k3x7qd'],
    ['by bun', 'bunx hookgate approvals approve k3x7qd'],
    ['by deno', 'deno run -A npm:hookgate approvals approve k3x7qd'],
    ['by deno with a version', 'deno x npm:hookgate@1 approvals approve k3x7qd'],
    ['by dx', 'dx hookgate approvals approve k3x7qd'],
    ['by the path of `which`', '$(which hookgate) approvals approve k3x7qd'],
    ['by the path of `command -v`', '"$(command -v hookgate)" approvals approve k3x7qd'],
    ['by an alias', `alias h=hookgate; h approvals approve k3x7qd`],
    ['by a function', `h() { hookgate "$@"; }; h approvals approve k3x7qd`],
    ['by xargs', `echo k3x7qd | xargs hookgate approvals approve`],
    ['by find', `find . -maxdepth 0 -exec hookgate approvals approve k3x7qd ';'`],
    ['by a shell of its own', `bash -lc 'hookgate approvals approve k3x7qd'`],
    ['in Node', `node -e 'require("child_process").execSync("hookgate approvals approve k3x7qd")'`],
    ['in Python', `python3 -c 'import os; os.system("hookgate approvals approve k3x7qd")'`],
    ['in Perl', `perl -e 'system("hookgate approvals approve k3x7qd")'`],
    ['in Ruby', `ruby -e 'system("hookgate", "approvals", "approve", "k3x7qd")'`],
    ['by expect', `expect -c 'spawn hookgate approvals watch; send a; expect eof'`],
    ['by socat’s terminal', `socat EXEC:'hookgate approvals approve k3x7qd',pty STDIO`],
    ['in another window of screen', `screen -S main -X stuff 'hookgate approvals approve k3x7qd\n'`],
    ['typed into a window of kitty', `kitty @ send-text --match title:sh 'hookgate approvals approve k3x7qd\\n'`],
    ['typed into WezTerm', `wezterm cli send-text --pane-id 1 'hookgate approvals approve k3x7qd'`],
    ['typed into Zellij', `zellij action write-chars 'hookgate approvals approve k3x7qd'`],
    ['typed by X', `xdotool type --delay 5 'hookgate approvals approve k3x7qd'`],
    ['typed by Wayland', `wtype 'hookgate approvals approve k3x7qd'`],
    ['through ssh to this machine', 'ssh me@localhost hookgate approvals approve k3x7qd'],
    ['through ssh to its address', `ssh -p 22 127.0.0.1 'hookgate approvals approve k3x7qd'`],
    ['as another user', 'sudo -u me hookgate approvals approve k3x7qd'],
    ['by systemd', 'systemd-run --user --pty hookgate approvals approve k3x7qd'],
    ['in cron', `(crontab -l; echo '* * * * * hookgate approvals approve k3x7qd') | crontab -`],
    ['switched off, so that nothing waits', 'hookgate approvals off'],
    ['what allows it afterwards', 'hookgate allow k3x7qd --times 20'],
  ])('%s', async (_, command) => {
    expect(await protectedUser(approvals).command(command)).toEqual(refused)
  })
})

describe('an answer past the command is refused, or a person at this machine is asked', () => {
  it.each([
    [
      'by the socket',
      `curl --unix-socket ${state}/gate.sock http://localhost/v1/approvals -d '{"answer":"","proof":""}'`,
    ],
    ['by the socket, with netcat', `nc -U ${state}/gate.sock < request`],
    ['by the socket, with socat', `socat - UNIX-CONNECT:${state}/gate.sock`],
    ['in Node', `node -e 'require("net").connect(process.env.HOME+"/.local/state/hookgate/gate.sock")'`],
    ['in Python', `python3 -c 'import socket; socket.socket(1).connect("/root/.local/state/hookgate/gate.sock")'`],
    ['with the gate’s key', `cat ${state}/gate.key`],
    ['with the phone’s key', `xxd ${state}/approvals.key`],
    ['with both, by a pattern', `cat ${state}/*.key`],
    ['with all that is there', `tar cz ${state} | base64`],
    ['with the key in another place', `cp ${state}/approvals.key /tmp/k`],
    ['with the key behind a link', `ln -s ${state}/gate.key k`],
    ['with a key that is replaced', `echo 00 > ${state}/gate.key`],
    ['by what is granted', `echo '{}' > ${state}/refusals/granted/x`],
    ['by a grant that is copied', `cp grant ${state}/refusals/granted/`],
    ['by the settings', `sed -i 's/"terminalOnly"/"x"/' ~/.config/hookgate/hooks.json`],
    [
      'by another server',
      `jq '.approvals.url="http://127.0.0.1:9"' ~/.config/hookgate/hooks.json > x && mv x ~/.config/hookgate/hooks.json`,
    ],
    ['by the page', 'hookgate ui --port 3044'],
    ['with the program in another place', 'cp "$(which hookgate)" /tmp/h && /tmp/h approvals approve k3x7qd'],
    ['with the program under another name', 'ln -s "$(command -v hookgate)" /tmp/h; /tmp/h approvals approve k3x7qd'],
    [
      'with the key, in Node',
      `node -p 'require("fs").readFileSync(process.env.HOME+"/.local/state/hookgate/gate.key")'`,
    ],
    [
      'with the phone’s key, in Python',
      `python3 -c 'import os; print(open(os.path.expanduser("${state}/approvals.key")).read())'`,
    ],
    ['with the keys in an archive', `zip -r /tmp/s.zip ${state}`],
    ['with the state elsewhere', `rsync -a ${state}/ /tmp/state/`],
    ['with the state moved', `mv ${state} /tmp/state`],
    ['by a gate of another home', `HOOKGATE_HOME=${state} hookgate serve`],
  ])('%s', async (_, command) => {
    const { decision, by } = await protectedUser(approvals).command(command)
    expect([decision === 'deny' || decision === 'ask', by]).toEqual([true, refused.by])
  })
})

describe('a secret of hookgate is not read', () => {
  it.each([
    ['Read', 'approvals.key'],
    ['Read', 'gate.key'],
    ['Read', 'token'],
    ['Grep', 'gate.key'],
    ['Grep', ''],
  ])('by the tool %s: %s', async (name, file) => {
    const user = protectedUser(approvals)
    const { decision } = await user.file(name, `${user.home}/.local/state/hookgate/${file}`)
    expect(decision).toBe('deny')
  })

  it('and everything else is', async () => {
    const user = protectedUser(approvals)
    for (const path of ['src/a.ts', 'keys/site.key', 'token']) {
      // oxlint-disable-next-line no-await-in-loop -- one call after the other
      expect((await user.file('Read', `${user.project}/${path}`)).decision).toBe('abstain')
    }
    // The log is for whoever looks for the cause of a refusal.
    expect((await user.file('Read', `${user.home}/.local/state/hookgate/gate.log`)).decision).toBe('abstain')
    for (const command of [
      'npm test',
      'git log',
      'cat keys/site.key',
      'grep -rn npm:hookgate src',
      'deno info npm:hookgate',
      'curl https://ntfy.sh/mine -d done',
    ]) {
      // oxlint-disable-next-line no-await-in-loop -- one call after the other
      expect((await user.command(command)).decision).toBe('abstain')
    }
  })
})
