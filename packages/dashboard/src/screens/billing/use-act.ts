import { useNavigate, useSearch } from '@tanstack/react-router';

/** A dialog of this screen that has an address, so that other screens lead to it. */
export function useAct(name: 'credit' | 'plan') {
  const { act } = useSearch({ from: '/member/o/$org/billing' });
  const navigate = useNavigate({ from: '/o/$org/billing' });
  const show = (value?: string): void =>
    void navigate({ search: (before) => ({ ...before, act: value }), replace: value === undefined });
  return { isOpen: act === name, open: () => show(name), close: () => show() };
}
