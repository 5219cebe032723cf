import type { Authority, PackageAuthority } from '../authority.ts'

/** The `package` member of an answer's meta: how many members of the package were read. */
export function packageMeta(authority: Authority, membersRead: number, more: Record<string, unknown> = {}) {
  if (authority.kind !== 'package') return {}
  return { package: { ...summary(authority), members_read: membersRead, ...more } }
}

function summary({ packageId, members, unusable }: PackageAuthority) {
  return {
    package_id: packageId,
    member_count: members.length + unusable.length,
    usable_member_count: members.length,
    partial: unusable.length > 0,
  }
}
