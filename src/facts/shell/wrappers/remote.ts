import { readOptions } from '../../../model/options.ts'
import type { ShellWord } from '../../../model/shell.ts'
import type { Starts, Unwrap } from '../unwrap.ts'
import { prefix } from './prefix.ts'
import { splitWords } from './split.ts'
import { behind, joined, names } from './words.ts'

/** Settings of ssh that are commands for a shell of this machine. */
const localCommands = /^\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand)\s*(?:=|\s)\s*/i

/** `-o ProxyCommand=…`; `none` turns one off. */
function settings(values: readonly ShellWord[], starts: Starts): void {
  for (const value of values) {
    const setting = localCommands.exec(value.value)
    if (setting === null) continue
    const text = behind(value, setting[0].length)
    if (text.value.trim().toLowerCase() !== 'none') starts.script(text, { stdin: 'none' })
  }
}

const ssh: Unwrap = (command, starts) => {
  const rules = { valued: names('B b c D E e F I i J L l m O o P p Q R S W w'), operandsLast: true }
  const read = readOptions(command.args, rules)
  settings(read.given.get('o') ?? [], starts)
  if (read.has('V', 'Q', 'G', 'O')) return
  // Options may stand behind the host as well.
  const again = readOptions(read.operands.slice(1), rules)
  settings(again.given.get('o') ?? [], starts)
  const where = { elsewhere: true, cwd: undefined } as const
  if (again.operands.length > 0) starts.script(joined(again.operands), where)
  else if (read.operands.length > 0 && command.stdin !== undefined && !read.has('N')) {
    starts.script(command.stdin, { ...where, stdin: 'none' })
  }
}

const copying =
  (valued: string): Unwrap =>
  (command, starts) => {
    const read = readOptions(command.args, { valued: names(valued) })
    settings(read.given.get('o') ?? [], starts)
    for (const program of read.given.get('S') ?? []) starts.words([...splitWords(program.value), ...read.operands])
    for (const line of command.program === 'sftp' ? (command.stdin?.value.split('\n') ?? []) : []) {
      if (line.trimStart().startsWith('!')) starts.script({ value: line.trimStart().slice(1) }, { stdin: 'none' })
    }
  }

const rsync: Unwrap = ({ args }, starts) => {
  const read = readOptions(args, {
    valued:
      names(`e rsh B block-size f filter M remote-option T temp-dir rsync-path suffix backup-dir chmod max-size min-size
      max-delete partial-dir timeout contimeout modify-window compare-dest copy-dest link-dest compress-choice
      compress-level skip-compress exclude exclude-from include include-from files-from copy-as address port sockopts
      out-format log-file log-file-format password-file early-input bwlimit stop-after stop-at outbuf protocol iconv
      checksum-seed checksum-choice usermap groupmap chown write-batch only-write-batch read-batch info debug stderr`),
    abbreviations: true,
  })
  const shells = ['e', 'rsh'].flatMap((name) => read.given.get(name) ?? [])
  const fallback = shells.length === 0 ? starts.variable('RSYNC_RSH') : undefined
  for (const shell of fallback === undefined ? shells : [fallback]) starts.words(splitWords(shell.value))
  for (const path of read.given.get('rsync-path') ?? []) starts.script(path, { elsewhere: true, cwd: undefined })
}

/** One command for many machines: the words behind the hosts. */
const manyHosts =
  (valued: string, hosts: number): Unwrap =>
  ({ args }, starts) => {
    const { operands } = readOptions(args, { valued: names(valued), operandsLast: true })
    if (operands.length > hosts) starts.script(joined(operands.slice(hosts)), { elsewhere: true, cwd: undefined })
  }

/** The modules of ansible that run what they are given. */
const ansible: Unwrap = ({ args }, starts) => {
  const read = readOptions(args, {
    valued: names(`a args m module-name i inventory u user f forks e extra-vars l limit become-user become-method c
      connection T timeout private-key key-file vault-id vault-password-file M module-path P poll B background t tree
      playbook-dir ssh-common-args ssh-extra-args sftp-extra-args scp-extra-args task-timeout`),
  })
  const module = read.value('m', 'module-name')?.value ?? 'command'
  const text = read.value('a', 'args')
  if (text !== undefined && /^(?:ansible\.builtin\.)?(?:command|shell|raw|script)$/.test(module)) {
    starts.script(text, { elsewhere: true, cwd: undefined })
  }
}

/** A cloud's own ssh, the remote script as an option's value. */
const cloudSsh =
  (option: string): Unwrap =>
  ({ args }, starts) => {
    if (!args.some(({ value }) => value === 'ssh' || value === 'run-command' || value === 'send-command')) return
    const text = readOptions(args, { valued: names(option) }).value(...names(option))
    if (text !== undefined) starts.script(text, { elsewhere: true, cwd: undefined })
  }

export const remotes: Readonly<Record<string, Unwrap>> = {
  ssh,
  slogin: ssh,
  autossh: (command, starts) => {
    const { args } = command
    const at = args.findIndex(({ value }) => value === '-M')
    ssh({ ...command, args: at === -1 ? args : [...args.slice(0, at), ...args.slice(at + 2)] }, starts)
  },
  scp: copying('c D F i J l o P S X'),
  sftp: copying('B b c D F i J l o P R S s X'),
  rsync,
  sshpass: prefix({ valued: names('p f d P') }),
  mosh: ({ args }, starts) => {
    const read = readOptions(args, { valued: names('p port ssh client server predict family'), operandsLast: true })
    for (const shell of read.given.get('ssh') ?? []) starts.words(splitWords(shell.value))
    if (read.operands.length > 1) starts.words(read.operands.slice(1), { elsewhere: true, cwd: undefined })
  },
  pdsh: manyHosts('w x l R t u f S g', 0),
  clush: manyHosts('w x g X l o t u f', 0),
  pssh: manyHosts('h H l p o e t O x X', 0),
  'parallel-ssh': manyHosts('h H l p o e t O x X', 0),
  rsh: manyHosts('l', 1),
  remsh: manyHosts('l', 1),
  ansible,
  gcloud: cloudSsh('command'),
  az: cloudSsh('scripts'),
}
