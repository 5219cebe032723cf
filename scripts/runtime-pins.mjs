// Prints new content for scripts/runtime-pins.json. For each kind of machine it has the newest package of Node 24, or
// of a later version if there is none, and its hash from the registry. Check the difference before you keep it:
//   node scripts/runtime-pins.mjs > pins.json && diff scripts/runtime-pins.json pins.json
import { tmpdir } from 'node:os'
import { npm } from './npm.mjs'
import { isCurrent, MACHINES, packageName } from './runtime.mjs'

const pins = {}
for (const machine of MACHINES) {
  const name = packageName(machine)
  const versions = (await view(name, 'versions')).filter((version) => /^\d+\.\d+\.\d+$/.test(version))
  const version = newest(versions.filter((one) => one.startsWith('24.') && isCurrent(one))) ?? newest(versions)
  pins[machine] = { package: name, version, integrity: await view(`${name}@${version}`, 'dist.integrity') }
}
console.log(JSON.stringify(pins, null, 2))

async function view(spec, field) {
  const { code, output, stdout } = await npm(process.execPath, ['view', spec, field, '--json'], tmpdir())
  if (code !== 0) throw new Error(`npm could not find information about ${spec}: ${output}`)
  return JSON.parse(stdout)
}

function newest(versions) {
  const part = (version, index) => Number(version.split('.')[index])
  return versions.sort((a, b) => part(a, 0) - part(b, 0) || part(a, 1) - part(b, 1) || part(a, 2) - part(b, 2)).at(-1)
}
