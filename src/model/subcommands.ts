/** Programs whose first word says what they do. That of any other is a file, a pattern or a host: `rm build *`. */
export const takesSubcommand: ReadonlySet<string> = new Set(
  (
    'apt aws az brew bun bundle cargo composer conda deno docker dotnet flutter gcloud gh git glab go helm kubectl mix ' +
    'npm nx pip pip3 pnpm podman poetry rustup swift systemctl terraform turbo uv yarn'
  ).split(' '),
)
