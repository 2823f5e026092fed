import { z } from 'zod'
import type { PageContext } from '../page-context.ts'
import { answering } from '../route.ts'

/** The contents of the frame, whichever view is open. */
export const aboutRoutes = ({ version, cwd, places, record }: PageContext) => ({
  about: answering(z.strictObject({}), () => ({
    version,
    /** The project that is shown first. */
    cwd,
    stateFolder: places.folder,
    /** False if nothing was recorded yet. */
    isRecorded: record.look().reader !== undefined,
  })),
})
