"""Expressions as graphs: made by a parser or by Python's operators, differentiated exactly, compiled to Python code."""
import math
import re

_nodes = {}  # every node once, so that equal parts are computed once


class Node:
    """An operation and its arguments. The graph never changes after it was made."""

    def __init__(self, op, args):
        self.op, self.args, self.rates = op, args, {}

    def __add__(self, other):
        other = as_node(other)
        if is_const(self, 0): return other
        if is_const(other, 0): return self
        return make("+", self, other)

    def __mul__(self, other):
        other = as_node(other)
        if is_const(self, 0) or is_const(other, 0): return const(0)
        if is_const(self, 1): return other
        if is_const(other, 1): return self
        return make("*", self, other)

    def __truediv__(self, other):
        return const(0) if is_const(self, 0) else make("/", self, as_node(other))

    def __neg__(self): return self * -1
    def __sub__(self, other): return self + as_node(other) * -1
    def __rsub__(self, other): return as_node(other) - self
    __radd__, __rmul__ = __add__, __mul__


def const(value): return _intern("const", (float(value),))
def var(name): return _intern("var", (name,))
def as_node(value): return value if isinstance(value, Node) else const(value)
def is_const(node, value): return node.op == "const" and node.args[0] == value


def _intern(op, args):
    key = (op, args)
    if key not in _nodes: _nodes[key] = Node(op, args)
    return _nodes[key]


def make(op, *args):
    if all(a.op == "const" for a in args):
        return const(FUNCTIONS[op](*(a.args[0] for a in args)))
    return _intern(op, args)


def _safe(function):
    """A function outside its domain: not a number, as in C."""
    def call(*args):
        try:
            return float(function(*args))
        except (ValueError, OverflowError, ZeroDivisionError):
            return math.nan
    return call


FUNCTIONS = {name: _safe(getattr(math, name)) for name in
             "sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp log log2 log10 sqrt".split()}
FUNCTIONS |= {
    "+": lambda a, b: a + b, "*": lambda a, b: a * b, "/": _safe(lambda a, b: a / b), "^": _safe(math.pow),
    "abs": abs, "sign": lambda a: float((a > 0) - (a < 0)), "rint": lambda a: float(round(a)),
    "<": lambda a, b: float(a < b), ">": lambda a, b: float(a > b), "<=": lambda a, b: float(a <= b),
    ">=": lambda a, b: float(a >= b), "==": lambda a, b: float(a == b), "!=": lambda a, b: float(a != b),
    "&&": lambda a, b: float(a != 0 and b != 0), "||": lambda a, b: float(a != 0 or b != 0),
    "?": lambda c, a, b: a if c != 0 else b,
}
sin, cos, sqrt = (lambda a, f=f: make(f, as_node(a)) for f in ("sin", "cos", "sqrt"))

# Derivatives of the functions of one argument.
SLOPES = {
    "sin": cos, "cos": lambda a: -sin(a), "tan": lambda a: const(1) / (cos(a) * cos(a)),
    "asin": lambda a: const(1) / sqrt(1 - a * a), "acos": lambda a: const(-1) / sqrt(1 - a * a),
    "atan": lambda a: const(1) / (a * a + 1), "sinh": lambda a: make("cosh", a), "cosh": lambda a: make("sinh", a),
    "tanh": lambda a: const(1) / (make("cosh", a) * make("cosh", a)), "asinh": lambda a: const(1) / sqrt(a * a + 1),
    "acosh": lambda a: const(1) / sqrt(a * a - 1), "atanh": lambda a: const(1) / (1 - a * a),
    "exp": lambda a: make("exp", a), "log": lambda a: const(1) / a, "log2": lambda a: const(1 / math.log(2)) / a,
    "log10": lambda a: const(1 / math.log(10)) / a, "sqrt": lambda a: const(0.5) / sqrt(a),
    "abs": lambda a: make("sign", a), "sign": lambda a: const(0), "rint": lambda a: const(0),
}


def rate(node, of, key):
    """d(node) where d(variable) = of[variable] (0 if absent): a partial derivative or a rate of change. `key` names `of`."""
    if node.op == "const": return const(0)
    if node.op == "var": return as_node(of.get(node.args[0], 0))
    if key not in node.rates: node.rates[key] = _rate(node.op, node.args, of, key)
    return node.rates[key]


def _rate(op, args, of, key):
    d = [rate(a, of, key) for a in args]
    if op == "+": return d[0] + d[1]
    if op == "*": return d[0] * args[1] + args[0] * d[1]
    if op == "/": return d[0] / args[1] - args[0] * d[1] / (args[1] * args[1])
    if op in SLOPES: return SLOPES[op](args[0]) * d[0] if not is_const(d[0], 0) else const(0)
    if op == "?": return make("?", args[0], d[1], d[2])
    if op == "atan2": return (args[1] * d[0] - args[0] * d[1]) / (args[0] * args[0] + args[1] * args[1])
    if op == "^":
        out = args[1] * make("^", args[0], args[1] - 1) * d[0]
        return out if is_const(d[1], 0) else out + make("log", args[0]) * make("^", args[0], args[1]) * d[1]
    return const(0)  # comparisons


def compile_nodes(nodes, names):
    """A function of the named variables that returns the nodes' values as a list."""
    lines, place = [], {}

    def put(node):
        if node in place: return place[node]
        if node.op == "const": text = repr(node.args[0])
        elif node.op == "var": text = node.args[0]
        else:
            a = [put(x) for x in node.args]
            text = f"({a[0]}) {node.op} ({a[1]})" if node.op in "+*" else f"f[{node.op!r}]({', '.join(a)})"
            if node.op in ("sin", "cos"): text = f"{node.op}({a[0]})"
            lines.append(f" _{len(lines)} = {text}")
            text = f"_{len(lines) - 1}"  # names of a model cannot begin like this
        place[node] = text
        return text

    values = ", ".join(put(as_node(n)) for n in nodes)
    scope = {"f": FUNCTIONS, "sin": math.sin, "cos": math.cos}
    exec("\n".join([f"def function({', '.join(names)}):", *lines, f" return [{values}]"]), scope)
    return scope["function"]


_TOKEN = re.compile(r"\s*(?:(\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)|([A-Za-z]\w*)|(<=|>=|==|!=|&&|\|\||[-+*/^()<>?:,]))")
_LEVELS = [["||"], ["&&"], ["<", ">", "<=", ">=", "==", "!="], ["+", "-"], ["*", "/"]]  # loosest first


class Parser:
    """The grammar of docs/model-format.md; `lookup` gives the node of a name."""

    def __init__(self, text, lookup):
        self.tokens, self.at, self.lookup = [], 0, lookup
        place = 0
        while text[place:].strip():
            match = _TOKEN.match(text, place)
            if not match: raise ValueError(f"cannot read '{text}'")
            self.tokens.append(match.groups())
            place = match.end()

    def take(self, *symbols):
        if self.at < len(self.tokens) and self.tokens[self.at][2] in symbols:
            self.at += 1
            return self.tokens[self.at - 1][2]
        return None

    def expression(self):
        condition = self.binary(0)
        if not self.take("?"): return condition
        a = self.expression()
        self.take(":")
        return make("?", condition, a, self.expression())

    def binary(self, level):
        if level == len(_LEVELS): return self.unary()
        left = self.binary(level + 1)
        while op := self.take(*_LEVELS[level]):
            right = self.binary(level + 1)
            left = left - right if op == "-" else left + right if op == "+" else left * right if op == "*" else \
                left / right if op == "/" else make(op, left, right)
        return left

    def unary(self):
        if self.take("-"): return -self.unary()
        if self.take("+"): return self.unary()
        base = self.atom()
        return make("^", base, self.unary()) if self.take("^") else base

    def atom(self):
        if self.take("("):
            inner = self.expression()
            self.take(")")
            return inner
        number, name, _ = self.tokens[self.at]
        self.at += 1
        if number: return const(float(number))
        if not self.take("("): return self.lookup(name)
        args = [self.expression()]
        while self.take(","): args.append(self.expression())
        self.take(")")
        return self.call(name, args)

    def call(self, name, args):
        if name in ("min", "max"):
            out = args[0]
            for a in args[1:]: out = make("?", make("<" if name == "min" else ">", a, out), a, out)
            return out
        if name in ("sum", "avg"):
            out = args[0]
            for a in args[1:]: out = out + a
            return out / len(args) if name == "avg" else out
        return make("log" if name == "ln" else name, *args)


def parse(value, lookup):
    """The node of a TOML number or text."""
    return Parser(value, lookup).expression() if isinstance(value, str) else const(value)
