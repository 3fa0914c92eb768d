"""Games, states and moves, and what is said against wrong input."""

import copy
import pathlib
import random
import unittest

import zug


class Games(unittest.TestCase):
    def test_the_version_is_that_of_the_sources(self):
        sources = pathlib.Path(__file__).resolve().parents[2] / "CMakeLists.txt"
        self.assertIn(f"project(zug VERSION {zug.__version__} ", sources.read_text())

    def test_every_game_can_be_played_by_moves(self):
        for name in zug.games():
            with self.subTest(name):
                state = zug.load(name, executor="interpreter").initial()
                for _ in range(4):
                    if state.is_terminal:
                        break
                    moves = state.legal_moves
                    self.assertEqual(len({move.hash for move in moves}), len(moves))
                    self.assertEqual(len({move.text for move in moves}), len(moves))
                    if state.is_chance:
                        self.assertAlmostEqual(sum(move.probability for move in moves), 1)
                    before, move = state.text, random.choice(moves)
                    after = state.after(move)
                    self.assertEqual(state.text, before)
                    self.assertEqual(state.after(move.text).hash, after.hash)
                    state = after

    def test_a_copy_is_another_state(self):
        state = zug.load("tic-tac-toe").initial()
        for other in (state.copy(), copy.copy(state), copy.deepcopy(state)):
            other.apply("a1")
            self.assertEqual(len(state.legal_moves), 9)
            self.assertEqual(len(other.legal_moves), 8)

    def test_states_are_equal_as_positions_are(self):
        game = zug.load("tic-tac-toe")
        one, other = game.initial().after("a1 b2 c3"), game.initial().after("c3 b2 a1")
        self.assertEqual(one, other)
        self.assertNotEqual(one, game.initial())
        self.assertNotEqual(one, zug.load("go", size=3).initial())
        self.assertNotEqual(one, one.text)
        half = zug.load("english-draughts").initial()
        self.assertEqual(half, half.copy())

    def test_the_end(self):
        state = zug.load("tic-tac-toe").initial()
        state.apply("a1 b1 a2 b2 a3")
        self.assertTrue(state.is_terminal)
        self.assertIsNone(state.current_player)
        self.assertEqual(state.utilities.tolist(), [1, -1])
        self.assertEqual(state.legal_moves, [])
        self.assertEqual(state.legal_actions(), [])
        with self.assertRaisesRegex(zug.Error, "over"):
            state.apply("b3")
        with self.assertRaisesRegex(zug.Error, "over"):
            state.act(0)

    def test_positions_are_texts(self):
        for name in ("chess", "othello", "backgammon", "go"):
            game = zug.load(name)
            state = game.initial()
            for _ in range(6):
                state.apply(random.choice(state.legal_moves))
            self.assertEqual(game.position(state.text).text, state.text)

    def test_parameters(self):
        self.assertEqual(zug.load("breakthrough", width=4, height=5).parameters, {"width": "4", "height": "5"})
        self.assertEqual(zug.load("breakthrough", {"width": 4}).parameters["width"], "4")
        with self.assertRaisesRegex(zug.Error, "no parameter|wide"):
            zug.load("breakthrough", wide=4)

    def test_wrong_input(self):
        for call, message in (
            (lambda: zug.load("tic-tac-to"), "did you mean `tic-tac-toe`"),
            (lambda: zug.load("/nonexistent.zug"), "nonexistent"),
            (lambda: zug.load("chess", executor="fast"), "executors are"),
            (lambda: zug.loads("game Toe"), r"text.zug:1:6: error"),
            (lambda: zug.loads("\0\xff" * 1000), "error"),
            (lambda: zug.load("chess").position("nonsense"), "nonsense|position"),
            (lambda: zug.load("chess").player("alphabeta:deep=3"), "no setting `deep`"),
            (lambda: zug.load("chess").player("expectimax:depth=0"), "depth"),
            (lambda: zug.load("chess").player("human"), "person"),
            (lambda: zug.load("chess").database("/nonexistent"), "nonexistent"),
        ):
            with self.assertRaisesRegex(zug.Error, message):
                call()
        self.assertTrue(issubclass(zug.Error, ValueError))

    def test_a_move_of_another_position(self):
        state = zug.load("tic-tac-toe").initial()
        move = state.legal_moves[0]
        state.apply(move)
        with self.assertRaisesRegex(zug.Error, "not legal"):
            state.apply(move)

    def test_a_rule_that_fails_leaves_the_state_as_it_was(self):
        game = zug.loads(
            'game "Full"\nplayers A, B\nstate pot: 0..2 = 0\n'
            "move add\n  then pot += 2\nend\n  draw when pot = 1\n"
        )
        state = game.initial()
        state.apply("add")
        before = state.text
        with self.assertRaisesRegex(zug.Error, "pot"):
            state.apply("add")
        self.assertEqual(state.text, before)
        with self.assertRaisesRegex(zug.Error, "pot"):
            game.playouts(10)


class Actions(unittest.TestCase):
    # Plays the game by actions, and compares what they lead to with the moves.
    def play(self, name, **parameters):
        game = zug.load(name, parameters, executor="interpreter")
        state = game.initial()
        for _ in range(60):
            if state.is_terminal:
                return
            before, moves = state.copy(), [state.after(move).hash for move in state.legal_moves]
            count = game.num_outcomes if state.is_chance else game.num_actions
            while True:
                legal = state.legal_actions()
                self.assertTrue(legal)
                self.assertEqual(legal, sorted(set(legal)))
                self.assertTrue(all(0 <= action < count for action in legal))
                self.assertTrue(all(state.action_text(action) for action in legal))
                action = random.choice(legal)
                state.act(action)
                if not state.begun:
                    break
                self.assertEqual(state.hash, before.hash)
            self.assertIn(state.hash, moves)

    def test_moves_of_one_step(self):
        for name in ("tic-tac-toe", "othello", "chess", "pig", "2048"):
            with self.subTest(name):
                self.play(name)

    def test_chains_of_steps(self):
        for name in ("english-draughts", "backgammon", "international-draughts"):
            with self.subTest(name):
                self.play(name)

    def test_chance(self):
        state = zug.load("pig").initial().after("roll")
        self.assertEqual([round(chance, 6) for _, chance in state.chance_outcomes()], [0.166667] * 6)
        self.assertEqual(state.action_mask().sum(), 0)

    def test_illegal(self):
        state = zug.load("tic-tac-toe").initial()
        state.act(0)
        for action in (0, -1, 9, 2**62):
            with self.assertRaisesRegex(zug.Error, "not legal"):
                state.act(action)
        self.assertEqual(state.game.action_text(-1), "")
        self.assertEqual(state.game.action_text(2**62), "")


if __name__ == "__main__":
    unittest.main()
