import { z } from 'zod'
import { changeOf, PageChange } from '../changes/change.ts'
import { openChanges } from '../changes/open-changes.ts'
import type { PageContext } from '../page-context.ts'
import { OfProject } from '../asked.ts'
import { answering } from '../route.ts'

const Id = z.strictObject({ id: z.string() })

/** Changes that the page makes: each is shown first, then made, and can be undone. */
export function changeRoutes(context: PageContext) {
  const changes = openChanges(context)
  return {
    /** `project` is the folder that it is about. */
    proposeChange: answering(OfProject.extend({ change: PageChange }), ({ change, project }) =>
      changes.propose(changeOf(change), project),
    ),
    makeChange: answering(Id, ({ id }) => changes.carryOut(id)),
    undoChange: answering(Id, async ({ id }) => {
      await changes.undo(id)
      return { undone: id }
    }),
    madeChanges: answering(z.strictObject({}), () => ({ made: changes.list() })),
  }
}
