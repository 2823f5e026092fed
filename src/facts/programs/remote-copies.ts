import type { ShellNetwork, ShellWord } from '../../model/shell.ts'
import { unknownPart } from '../../model/shell.ts'
import type { Doing } from './doing.ts'
import { hostOf } from './http.ts'
import type { Line } from './line.ts'
import { isUrl, remotePlace } from './looks.ts'
import type { Rows } from './row.ts'
import { behind } from './behind.ts'

/** Copies between machines, and sessions on others. */
export const remoteCopies: Rows = {
  'scp pscp': {
    options: 'c F=read i=read J l o P S=execute X D pw',
    silent: true,
    deaf: true,
    also: (line, doing) => copied(line, doing, line.has('r')),
  },
  rsync: {
    options:
      'e rsh rsync-path exclude include exclude-from=read include-from=read files-from=read f filter T=into temp-dir=into compare-dest=names copy-dest=names link-dest=names partial-dir=into backup-dir=into suffix log-file=append log-file-format password-file=read port sockopts bwlimit timeout contimeout chmod chown usermap groupmap out-format max-size min-size max-delete max-alloc block-size B M remote-option info debug stderr address iconv modify-window stop-at stop-after time-limit write-batch=write only-write-batch=write read-batch=read checksum-choice cc compress-choice zc compress-level zl skip-compress protocol early-input=read +archive +recursive +delete +delete-before +delete-during +delete-after +delete-delay +delete-excluded +delete-missing-args +remove-source-files +dry-run +verbose +compress +partial +progress +human-readable +update +checksum +links +perms +times +owner +group +devices +specials +relative +force +stats +existing +ignore-existing +inplace +append +whole-file +mkpath +list-only',
    deaf: true,
    also(line, doing) {
      const recursive = line.has('a', 'r', 'archive', 'recursive', 'files-from')
      copied(line, doing, recursive)
      if (line.has('n', 'dry-run')) return
      const to = line.operands.at(-1)
      const deletes =
        line.given.some(({ name }) => name.startsWith('delete') && name !== 'delete-missing-args') || line.has('del')
      if (deletes && to !== undefined && line.operands.length > 1 && remotePlace(to.value) === undefined) {
        doing.touch(to, 'delete', { recursive: true })
      }
      if (line.has('remove-source-files')) {
        for (const word of line.operands.slice(0, -1))
          if (remotePlace(word.value) === undefined) doing.touch(word, 'delete', { recursive: true })
      }
    },
  },
  'sftp psftp': {
    options: 'B b=read c D F=read i=read J l o P R S=execute s X',
    network: (line) => session(line.operands[0], 'both'),
  },
  'ssh slogin autossh mosh rsh rlogin rexec plink et': {
    options: 'B b c D E=write e F=read I=read i=read J L l m O o p Q R S=names W w pw',
    operandsLast: true,
    network: (line) => (line.has('V', 'Q', 'G') ? undefined : session(line.operands[0], 'both')),
  },
  sshpass: { options: 'p f=read d e P' },
  'ssh-copy-id': { options: 'i=read p o F=read', network: (line) => session(line.operands[0], 'send') },
  sshfs: { options: 'o p F=read', network: (line) => session(line.operands[0], 'both') },
  'ftp lftp ncftp tnftp pftp': {
    options: 'u user p port e c f=read o=write N=read P s r T q',
    network: (line) => session(line.operands[0], 'both'),
    also(line, doing) {
      for (const { name, value } of line.given)
        if (value !== undefined && (name === 'e' || name === 'c')) transfers(value, doing)
    },
  },
  ncftpput: {
    options: 'u p P f=read',
    network: (line) => session(line.operands[0], 'send'),
    also(line, doing) {
      for (const word of line.operands.slice(2)) doing.touch(word, 'read', { recursive: line.has('R') })
    },
  },
  ncftpget: { options: 'u p P f=read', network: (line) => session(line.operands[0], 'receive') },
  'tftp atftp': {
    options: 'm p? r=none l=read local-file=read c',
    network: (line) => session(line.operands[0], 'both'),
    also(line, doing) {
      const put = line.operands.findIndex(({ value }) => value === 'put')
      if (put !== -1) doing.touch(line.operands[put + 1], 'read')
    },
  },
  smbclient: {
    options: 'c command U user I p W N s=read A=read D',
    network: (line) => session(line.operands[0], 'both'),
    also(line, doing) {
      const commands = line.value('c', 'command')
      if (commands !== undefined) transfers(commands, doing)
    },
  },
  rclone: {
    options:
      'config=read include exclude filter filter-from=read include-from=read exclude-from=read files-from=read transfers checkers bwlimit log-file=append max-age min-age max-size backup-dir',
    also: stored,
  },
  'croc wormhole magic-wormhole ffsend transfer transfer.sh send onionshare pastebinit wgetpaste dpaste gist': {
    options: 'code relay t i=read a b f d title author l',
    network: { direction: 'send' },
    also(line, doing) {
      for (const word of line.operands)
        if (!/^(?:send|upload|receive|recv|download)$/.test(word.value)) doing.touch(word, 'read', { recursive: true })
    },
  },
  'ngrok cloudflared localtunnel lt frpc chisel bore': { network: { direction: 'listen' } },
}

/** `host:path` on the one side, local paths on the other. */
function copied(line: Line, doing: Doing, recursive: boolean): void {
  const { operands } = line
  if (operands.length < 2) {
    // One operand alone is listed.
    const remote = operands[0] === undefined ? undefined : remotePlace(operands[0].value)
    if (remote !== undefined) doing.network({ direction: 'receive', ...named(remote.host) })
    else doing.touch(operands[0], 'names', { recursive })
    return
  }
  const to = operands.at(-1)
  const remoteTo = to === undefined ? undefined : remotePlace(to.value)
  let from: string | undefined
  for (const word of operands.slice(0, -1)) {
    const remote = remotePlace(word.value)
    if (remote === undefined) doing.touch(word, 'read', { recursive: recursive || word.value.endsWith('/') })
    else from = remote.host
  }
  if (remoteTo !== undefined) doing.network({ direction: 'send', ...named(remoteTo.host) })
  else {
    if (from !== undefined) doing.network({ direction: 'receive', ...named(from) })
    doing.touch(to, recursive || operands.length > 2 ? 'into' : 'write')
  }
}

const named = (host: string): { readonly host?: string } =>
  host === '' || host.includes(unknownPart) ? {} : { host: host.toLowerCase() }

function session(word: ShellWord | undefined, direction: ShellNetwork['direction']): ShellNetwork | undefined {
  if (word === undefined) return undefined
  const { value } = word
  if (isUrl(value) || value.startsWith('//'))
    return { direction, ...named(hostOf(value.replace(/^\/\//, 'smb://')) ?? '') }
  const before = value.split(':', 1)[0] ?? ''
  return { direction, ...named(before.slice(before.lastIndexOf('@') + 1)) }
}

/** `put FILE`, `mput`, `mirror -R DIR` in the words of an FTP client. */
function transfers(word: ShellWord, doing: Doing): void {
  for (const command of word.value.split(/[;\n]/)) {
    const [verb = '', ...args] = command.trim().split(/\s+/)
    const names = args.filter((value) => !value.startsWith('-'))
    const sends =
      /^(?:m?put|append|send|reput)$/.test(verb) ||
      (verb === 'mirror' && args.some((value) => /^(?:-\w*R|--reverse)/.test(value)))
    if (sends) for (const value of names) doing.touch({ ...word, value }, 'read', { recursive: verb === 'mirror' })
    else if (/^(?:m?get|reget|pget)$/.test(verb))
      for (const value of names) doing.touch({ ...word, value: value.slice(value.lastIndexOf('/') + 1) }, 'write')
  }
}

const isStore = ({ value }: ShellWord): boolean => remotePlace(value) !== undefined || value.startsWith(':')

/** `rclone copy SRC DST`: a place with a colon is a store. */
function stored(line: Line, doing: Doing): void {
  const [verb, from, to] = line.operands
  if (verb === undefined || from === undefined) return
  if (to === undefined) {
    if (isStore(from)) doing.network({ direction: verb.value === 'rcat' ? 'send' : 'receive' })
    else if (/^(?:delete|purge|rmdir|rmdirs|deletefile)$/.test(verb.value))
      doing.touch(from, 'delete', { recursive: true })
    else doing.touch(from, 'names', { recursive: true })
    return
  }
  if (!isStore(from)) {
    doing.touch(from, 'read', { recursive: true })
    if (verb.value.startsWith('move')) doing.touch(from, 'delete', { recursive: true })
  }
  if (!isStore(to)) doing.touch(to, 'into')
  if (!isStore(to) && verb.value === 'sync') doing.touch(to, 'delete', { recursive: true })
  if (isStore(to)) doing.network({ direction: 'send' })
  else if (isStore(from)) doing.network({ direction: 'receive' })
}

/** A local file behind a prefix that an option's value has: `file://`, `fileb://`. */
export function prefixedFile(word: ShellWord, doing: Doing): void {
  const prefix = /^fileb?:\/\//.exec(word.value)
  if (prefix !== null) doing.touch(behind(word, prefix[0].length), 'read')
}
