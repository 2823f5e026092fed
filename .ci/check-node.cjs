// npm runs this before it installs hookgate, on whichever Node it has, so it is written for an old one.
const [major, minor] = process.versions.node.split('.').map(Number)
// As `engines` in package.json: what the package depends on is made for no other.
if (major < 24 || major === 25 || (major === 24 && minor < 15)) {
  console.error(
    `hookgate needs Node 24 (from 24.15) or Node 26 and newer, and this is Node ${process.versions.node}: install one of them, put it first on the PATH, and run this again`,
  )
  process.exit(1)
}
