import { type Deeds, written } from '../deeds/deeds.ts'
import type { Family } from '../program.ts'

/** A stopped job has to start anew. One that is stopped by its id is taken for the caller's own, and is not reported. */
const all = { kind: 'stop', object: 'all jobs of a user, or of everybody', names: 'none', extent: 'all' } as const
const several: Deeds = { ...all, hIsNoHelp: true }

/** Queues of jobs on the machines of a computing center. */
export const batchQueues: Family = {
  area: 'system-services',
  programs: {
    scancel: { does: { ...several, work: ['-u|--user|-A|--account|-p|--partition|-t|--state|--me|-n|--name'] } },
    qdel: { does: { ...several, work: ['all', '-u', '-p'] } },
    bkill: { does: { ...several, work: ['0', '-u|-q|-m|-g'] } },
    condor_rm: { does: { ...several, work: ['-all|-a|-constraint'], oneDash: true } },
    scontrol: {
      does: {
        kind: 'stop',
        object: 'machine of the queue',
        names: 'none',
        says: { shutdown: { object: 'the whole queue', extent: 'all' } },
        work: ['shutdown', 'reconfigure', 'update'],
        when: written(/^shutdown|^reconfigure|state=(?:down|drain|fail)/i),
      },
    },
    sacctmgr: {
      does: {
        kind: 'delete',
        thing: 'account',
        object: 'account of the queue',
        names: 'none',
        work: ['delete|remove'],
      },
    },
  },
  examples: {
    'scancel -u alice': 'stops all jobs of a user, or of everybody',
    'scancel 1234': '',
    'qdel 12': '',
    'scontrol update NodeName=n1 State=DRAIN': 'stops a machine of the queue',
    'scontrol show job 12': '',
  },
}
