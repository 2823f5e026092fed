import { z } from 'zod'

/** What a command did to files, or would do: the `--json` of every command that changes some. */
export const FileChanges = z.object({
  /** Whether anything was changed. `false` for a dry run, whose `files` are what would change. */
  changed: z.boolean(),
  /** Empty if all of it is there already. */
  files: z.array(z.object({ file: z.string(), diff: z.string() })).readonly(),
  /** Where the old files are kept. */
  copies: z.array(z.string()).readonly(),
  notes: z.array(z.string()).readonly(),
})
export type FileChanges = Readonly<z.infer<typeof FileChanges>>
