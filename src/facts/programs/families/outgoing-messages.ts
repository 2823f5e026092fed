import type { Family } from '../program.ts'

const programs: Family['programs'] = {
  himalaya: { does: { names: 'none', object: 'mail', work: ['message send|write|reply|forward', 'send'] } },
  signal: { does: { work: ['send'] } },
  'signal-cli': { does: { valued: 'u a m message', names: 'last', work: ['send', 'sendmessage'] } },
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
