import type { Family } from '../deeds.ts'

const programs: Family['programs'] = {
  himalaya: { work: ['message send|write|reply|forward', 'send'] },
  signal: { work: ['send'] },
  'signal-cli': { valued: 'u a', work: ['send', 'sendmessage'] },
  toot: { work: ['post'] },
}

export const outgoingMessages: Family = { area: 'outgoing-messages', thing: 'message', kind: 'send', programs }
