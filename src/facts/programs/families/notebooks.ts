import { type DeedCondition, written } from '../deeds/deeds.ts'
import type { Family } from '../program.ts'
import { opens } from './remote.ts'

/** Listens at another address than this machine's own. */
const listens = /(?:^| )--(?:\w+\.)?(?:ip|host|address)[= ](?!127\.|localhost|\[?::1|unix)\S/i
/** Asks nobody who comes for a password. */
const asksNobody =
  /(?:^| )--(?:\w+\.)?(?:token|password)(?:=(?:u?(?:''|""))?(?: |$)| (?:''|"")?(?: |$))|(?:^| )--no-token(?: |$)/i

/** True if whoever reaches the server can run code in it. */
const isOpenToAll: DeedCondition = (...given) => written(listens)(...given) && written(asksNobody)(...given)

const server = opens({ never: [''], when: isOpenToAll, object: 'shell of this machine', hIsNoHelp: true })

/** Notebooks: their servers, and what runs or converts them. */
export const notebooks: Family = {
  area: 'opened-access',
  programs: {
    nbconvert: { operands: 'read' },
    // What it is given last is the notebook that it writes.
    papermill: {
      options: 'p:2 parameters:2 r:2 y b f=read k kernel l log-output cwd',
      first: 'execute',
      operands: 'write',
    },
    'jupyter jupyter-lab jupyter-notebook jupyter-server': { operands: 'read', does: server },
    marimo: { operands: 'read', does: server },
  },
  examples: {
    "jupyter lab --ip=0.0.0.0 --ServerApp.token=''": 'opens a shell of this machine',
    'jupyter lab --ip=0.0.0.0': '',
    "jupyter notebook --NotebookApp.token=''": '',
    'marimo edit --host 0.0.0.0 --no-token': 'opens a shell of this machine',
    'jupyter nbconvert --to script a.ipynb': '',
  },
}
