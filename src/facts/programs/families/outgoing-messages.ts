import { liveByVerbs } from '../deeds/deeds.ts'
import type { ShellNetwork } from '../../../model/shell-network.ts'
import { behind } from '../../../words/options.ts'
import { isLoopback } from '../../../words/request.ts'
import type { Family } from '../program.ts'
import type { Line, Row } from '../row.ts'
import { host } from './network.ts'
import { writesMessage } from './code-hosting.ts'

/** Ports at which a server takes mail that it carries on. */
const carriesOn = /^(?:25|465|587)?$/

const receivers = /^(?:t|to|c|cc|b|bcc)$/

/** Describes a mail: to the host of its first address, or to a server of this machine that only shows what it gets. */
function mailed(line: Line): ShellNetwork | undefined {
  const server = line.value('server', 'host', ...(line.program === 'swaks' ? ['s'] : []))
  const [, name, port = line.value('port', 'p')?.value ?? ''] = /^(.*?)(?::(\d+))?$/s.exec(server?.value ?? '') ?? []
  if (name !== undefined && isLoopback(name) && !carriesOn.test(port))
    return { kind: 'mail', direction: 'send', host: 'localhost' }
  const given = line.given.filter(({ name: option }) => receivers.test(option)).map(({ value }) => value)
  const address = [...line.operands, ...given].find(({ value }) => value.includes('@'))
  const isSent = address !== undefined || line.operands.length > 0 || line.has('s', 't', 'subject', 'to')
  return isSent ? { kind: 'mail', direction: 'send', ...(address !== undefined && host(address)) } : undefined
}

const mailer: Row = {
  saysWhatStarts: true,
  options: 'f F C=read a account o O N R r h B host port passwordeval=script',
  network: mailed,
}

const programs: Family['programs'] = {
  himalaya: { does: { names: 'none', object: 'mail', work: ['message send|write|reply|forward', 'send'] } },
  signal: { does: { work: ['send'] } },
  'signal-cli': { does: { valued: 'u a m message', names: 'last', work: ['send', 'sendmessage'] } },
  'mail mailx nail s-nail bsd-mailx heirloom-mailx': {
    saysWhatStarts: true,
    options: 's subject r from-address c cc b bcc a A=read attach=read q=read S u f',
    network: mailed,
    escapes: true,
    effects(line, recorder) {
      // In some implementations `-a` attaches a file, in others it adds a header.
      for (const value of line.values('a')) if (!/^[A-Za-z-]+:/.test(value.value)) recorder.touch(value, 'read')
    },
  },
  'mutt neomutt': {
    saysWhatStarts: true,
    options: 's a=read c b e F=read H=read i=read f m',
    network: mailed,
    effects(line, recorder) {
      // With `-a`, all operands before `--` are attachments.
      if (line.has('a')) for (const word of line.operands) if (!word.value.includes('@')) recorder.touch(word, 'read')
    },
  },
  exim: {
    ...mailer,
    does: {
      area: 'messaging',
      kind: 'restart',
      object: 'waiting mails',
      names: 'none',
      thing: 'message',
      says: {
        '-Mrm|-Mg': { kind: 'delete', object: 'waiting mail', thing: 'message', names: 'last' },
      },
      never: ['-Mrm|-Mg'],
      work: ['-qff|-Mf'],
      oneDash: true,
    },
  },
  exim4: {
    ...mailer,
    does: {
      area: 'messaging',
      kind: 'delete',
      object: 'waiting mail',
      thing: 'message',
      names: 'last',
      never: ['-Mrm|-Mg'],
      oneDash: true,
    },
  },
  'sendmail msmtp ssmtp esmtp nullmailer-inject postfix': mailer,
  'swaks mpack sendemail': {
    saysWhatStarts: true,
    options: 'to t from f server s port p body m attach=read attach-body=read a=read d=read data=read header au ap u x',
    network: mailed,
    effects(line, recorder) {
      for (const { name, value } of line.given)
        if ((name === 'body' || name === 'attach') && value.value.startsWith('@'))
          recorder.touch(behind(value, 1), 'read')
    },
  },
  toot: {
    message: writesMessage,
    does: { names: 'none', object: 'post', work: ['post'] },
  },
  'mmctl zulip-send ntfy apprise': { message: writesMessage, does: liveByVerbs('upload', 'deploy') },
}

export const outgoingMessages: Family = {
  area: 'outgoing-messages',
  programs,
  examples: {
    'himalaya message send': 'sends a mail',
    'signal-cli -u +1 send -m hello +2': 'sends a message to `+2`',
    'toot post hello': 'sends a post',
    'himalaya list': '',
    'himalaya message reply 12': 'sends a mail',
  },
}
