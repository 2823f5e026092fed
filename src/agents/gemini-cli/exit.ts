import { exitAtEnd } from '../table/shell-exit.ts'

/** Reads the exit code in what the model gets of a shell command. Its line is there only if it is another than 0. */
export const geminiExit = (text: unknown): number | undefined =>
  exitAtEnd(
    text,
    /\nExit Code: (\d+)(?:\n(?:Signal|Background PIDs|Process Group PGID): .*)*(?:\n<\/untrusted_context>)?\s*$/,
  )
