import { z } from 'zod'
import { agentNames, titleOf } from '../../agents/registry.ts'
import type { PageContext } from '../page-context.ts'
import { answering } from '../route.ts'

/** The contents of the frame, whichever view is open. */
export const aboutRoutes = ({ version, cwd, places, record }: PageContext) => ({
  about: answering(z.strictObject({}), () => ({
    version,
    /** The project that is shown first. */
    cwd,
    stateFolder: places.folder,
    agentTitles: Object.fromEntries(agentNames.map((name) => [name, titleOf(name)])),
    /** False if nothing was recorded yet. */
    isRecorded: record.look().reader !== undefined,
  })),
})
