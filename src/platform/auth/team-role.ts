/** What people of one account may do. Everybody may read, and look after their own sign-in. */
export const teamRoles = ['owner', 'editor', 'reader', 'billing'] as const;
export type TeamRole = (typeof teamRoles)[number];

/**
 * What a changing route asks of a person, when it is not the account's everyday work: their own
 * sign-in, money, keys, or the team.
 */
export type Permission = 'self' | 'billing' | 'keys' | 'team';

export function mayChange(role: TeamRole, permission: Permission | undefined): boolean {
  if (permission === 'self') return true;
  switch (role) {
    case 'owner':
      return true;
    case 'editor':
      return permission === undefined || permission === 'keys';
    case 'billing':
      return permission === 'billing';
    case 'reader':
      return false;
  }
}
