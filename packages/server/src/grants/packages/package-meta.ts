import type { Authority, PackageAuthority } from '../authority.ts'

/** What an answer that was put together from members says about that. */
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
